import { denseNumeralAt, inflectedNumber, keyAt, numeralAt } from './numerals.ts'
import type { Token } from './tokens.ts'
import { unitAround } from './units.ts'
import { foldFor, type Lexicon } from './words.ts'

/** How a language tells the time from an hour. */
interface ClockWords {
  /** Words for a quarter of an hour. */
  readonly quarter?: string
  /**
   * Phrases, with `;` between, for a time so many minutes before an hour. `<H>` stands for the hour, `<O>` for one as a word of
   * order, `<M>` for the minutes; the minutes that a word says itself stand behind its `=`, and what several parts say is
   * added.
   */
  readonly before?: string
  /** The same for a time after an hour, where the words for hour and minutes alone do not say it. */
  readonly after?: string
}

const clocks: Readonly<Record<string, ClockWords>> = {
  en: {
    quarter: 'quarter',
    before: '<M> to|before|till <H>',
    after: 'quarter=15 past|after <H>;half=30 past <H>',
  },
  fr: { quarter: 'quart', before: '<H> moins <M>', after: '<H> et quart=15;<H> et demie|demi=30' },
  de: {
    quarter: 'viertel',
    before: '<M> vor <H>;<M> vor halb=30 <H>;<M> nach halb=-30 <H>;dreiviertel=15 <H>',
    after: 'viertel=15 nach <H>',
  },
  es: {
    quarter: 'cuarto',
    before: '<H> menos <M>;<M> para la|las <H>',
    after: '<H> y cuarto=15;<H> y media=30',
  },
  it: { quarter: 'quarto', before: '<H> meno <M>', after: '<H> e un quarto=15;<H> e mezza|mezzo=30' },
  pt: {
    quarter: 'quarto',
    before: '<H> menos <M>;<M> para a|as|o <H>',
    after: '<H> e um quarto=15;<H> e meia=30',
  },
  nl: {
    quarter: 'kwart',
    before: '<M> voor <H>;<M> voor half=30 <H>;<M> over half=-30 <H>',
    after: 'kwart=15 over <H>',
  },
  sv: {
    quarter: 'kvart',
    before: '<M> i <H>;<M> i halv=30 <H>;<M> over halv=-30 <H>',
    after: 'kvart=15 over <H>',
  },
  da: {
    quarter: 'kvart|kvarter',
    before: '<M> i|pa <H>;<M> i|pa halv=30 <H>;<M> over halv=-30 <H>',
    after: 'kvart=15 over <H>',
  },
  fi: {
    quarter: 'varttia|vartin|vartti',
    before: '<M> vaille <H>;puoli=30 <H>',
    after: 'vartin|varttia=15 yli <H>',
  },
  pl: { quarter: 'kwadrans', before: 'za <M> <O>;wpoł|wpol=30 do <O>', after: 'kwadrans=15 po <O>' },
  cs: { before: 'ctvrt=45 na <H>;tri ctvrte=15 na <H>;pul=30 <O>' },
  ro: { quarter: 'sfert', before: '<H> fara <M>', after: '<H> si un sfert=15;<H> si jumatate=30' },
  hu: { before: 'negyed=45 <H>;haromnegyed=15 <H>;fel=30 <H>' },
  tr: {
    quarter: 'ceyrek',
    before: '<H> <M> var|kala',
    after: '<H> ceyrek=15 gece|geciyor;<H> bucuk|bucukta=30',
  },
  vi: { before: '<H> kém <M>', after: '<H> rưỡi=30' },
  id: {
    quarter: 'seperempat',
    before: '<H> kurang <M>;jam|pukul setengah=30 <H>',
    after: '<H> lewat|lebih seperempat=15',
  },
  ru: {
    quarter: 'четверти|четверть',
    before: 'без <M> <H>;четверть=45 <O>;половина|половине|пол=30 <O>',
  },
  uk: { quarter: 'чверть|чверті', before: 'за <M> <O>;за <M> <H>;чверть=45 на <O>;пів=30 на <O>' },
  bg: { quarter: 'четвърт', before: '<H> без <M>', after: '<H> и четвърт=15;<H> и половина=30' },
  el: { quarter: 'τεταρτο', before: '<H> παρα <M>', after: '<H> και τεταρτο=15;<H> και μιση=30' },
  ar: { quarter: 'ربع|ربعا|الربع', before: '<O> الا <M>', after: '<O> والربع=15;<O> والنصف=30' },
  fa: { quarter: 'ربع', before: '<M> به <H>', after: '<H> و ربع=15;<H> و نیم=30' },
  he: { after: '<H> ורבע=15;<H> וחצי=30' },
  hi: { before: 'पौने=15 <H> बजे', after: 'सवा=15 <H> बजे;साढे|साढ़े=30 <H> बजे' },
  zh: {
    before: '差 一 刻=15 <H> 点|點;差 <M> 分 <H> 点|點',
    after: '<H> 点|點 一 刻=15;<H> 点|點 三 刻=45;<H> 点|點 半=30',
  },
  ja: { before: '<H> 時 <M> 分 前', after: '<H> 時 半=30' },
  ko: { before: '<H> 시 <M> 분 전|전에', after: '<H> 시 반|반에|반부터|반까지=30' },
}

/** Words before the number of an hour, and behind it, that say no more than that it is one. */
const beforeHour = new Set(
  'la las le les l il a as o os um klockan klokken kl klo ora ore godzina godzinie saat jam pukul الساعة'.split(
    ' ',
  ),
)
const behindHour = new Set('uhr o clock uur giờ בשעה годин saat'.split(' '))
/** Between numbers "to" is seldom of the clock in English: behind these it is. */
const ofClock = /(?:^| )(?:at|by|until|till|it is|it s)$/

interface Part {
  readonly slot: 'H' | 'O' | 'M' | undefined
  readonly words: ReadonlySet<string>
  readonly minutes: number
}
interface Phrase {
  readonly isBefore: boolean
  readonly parts: readonly Part[]
}

const slots: ReadonlyMap<string, Part['slot']> = new Map(
  (['H', 'O', 'M'] as const).map((slot) => [`<${slot.toLowerCase()}>`, slot]),
)

const phrasesByCode = new Map(
  Object.entries(clocks).map(([code, { before = '', after = '' }]) => {
    const read = (phrases: string, isBefore: boolean) => readPhrases(foldFor(code, phrases), isBefore)
    return [code, [...read(before, true), ...read(after, false)]] as const
  }),
)
const quarters = new Map(
  Object.entries(clocks).flatMap(([code, { quarter }]) =>
    quarter === undefined ? [] : [[code, new Set(foldFor(code, quarter).split('|'))] as const],
  ),
)

function readPhrases(written: string, isBefore: boolean): Phrase[] {
  return written
    .split(';')
    .filter((each) => each !== '')
    .map((phrase) => ({ isBefore, parts: phrase.split(' ').map(readPart) }))
}

function readPart(part: string): Part {
  const [words = '', minutes = '0'] = part.split('=')
  const slot = slots.get(words)
  return { slot, words: new Set(slot === undefined ? words.split('|') : []), minutes: Number(minutes) }
}

export const isQuarter = (key: string, { code }: Lexicon): boolean => quarters.get(code)?.has(key) ?? false

/** The phrases of a language of which all words are in a text: of most texts none, so that they cost nothing. */
export function clockPhrasesFor(tokens: readonly Token[], lexicon: Lexicon | undefined): readonly Phrase[] {
  const phrases = phrasesByCode.get(lexicon?.code ?? '') ?? []
  if (lexicon === undefined || phrases.length === 0) return []
  const keys = new Set(tokens.map((_, at) => keyAt(tokens, at, lexicon)))
  return phrases.filter(({ parts }) =>
    parts.every(({ slot, words }) => slot !== undefined || [...words].some((word) => keys.has(word))),
  )
}

/** A time that is told from an hour. */
export interface SpokenClock {
  readonly hour: number
  readonly minutes: number
  /** Whether a word for hours is behind the hour, as for how long something takes as well. */
  readonly hasUnit: boolean
  readonly to: number
}

/** The text that is read, and what is known of its language. */
export interface Source {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly lexicon: Lexicon
}

/** The time that a phrase from a place on tells. */
export function clockAt(source: Source, at: number, phrases: readonly Phrase[]): SpokenClock | undefined {
  for (const { parts, isBefore } of phrases) {
    const found = readClock(source, at, parts)
    if (found === undefined) continue
    const { hour, minutes } = found
    if (hour < 1 || hour > 24 || minutes < 1 || minutes > 59) continue
    return isBefore ? { ...found, hour: hour - 1, minutes: 60 - minutes, hasUnit: false } : found
  }
  return undefined
}

function readClock(source: Source, at: number, parts: readonly Part[]): SpokenClock | undefined {
  let [hour, minutes, to, hasUnit] = [0, 0, at, false]
  for (const { slot, words, minutes: more } of parts) {
    const key = keyAt(source.tokens, to, source.lexicon)
    if (slot === undefined) {
      if (!words.has(key)) return undefined
      ;[minutes, to] = [minutes + more, to + 1]
    } else if (slot === 'M') {
      const found = minutesAt(source, to, at)
      if (found === undefined) return undefined
      ;[minutes, to] = [minutes + found.value, found.to]
    } else {
      const found = hourAt(source, to, slot)
      if (found === undefined) return undefined
      ;({ value: hour, to, hasUnit } = found)
    }
  }
  // Behind it stands no unit: three and a half pounds are no time, nor are so many hours.
  const { end } = source.tokens[to - 1] as Token
  if (unitAround('', source.text.slice(end, end + 32)) !== undefined) return undefined
  return { hour, minutes: Math.abs(minutes), hasUnit, to }
}

interface At {
  readonly value: number
  readonly to: number
}

/** Minutes: a quarter, or a number of fewer than half an hour. */
function minutesAt(source: Source, at: number, start: number): At | undefined {
  const { tokens, text, lexicon } = source
  const skipped = lexicon.ones.has(keyAt(tokens, at, lexicon)) || keyAt(tokens, at, lexicon) === 'le' ? 1 : 0
  if (isQuarter(keyAt(tokens, at + skipped, lexicon), lexicon)) return { value: 15, to: at + skipped + 1 }
  const found = numberAt(source, at)
  if (found === undefined || found.value >= 30) return undefined
  const { end } = tokens[found.to - 1] as Token
  const isMinutes = unitAround('', text.slice(end, end + 32))?.name === 'min' && !lexicon.isDense
  const before = `${keyAt(tokens, start - 2, lexicon)} ${keyAt(tokens, start - 1, lexicon)}`
  const isSure = lexicon.code !== 'en' || isMinutes || ofClock.test(before)
  return isSure
    ? { value: found.value, to: isMinutes && lexicon.code !== 'ko' ? found.to + 1 : found.to }
    : undefined
}

/** An hour with the words around it. */
function hourAt(
  source: Source,
  at: number,
  slot: 'H' | 'O',
): (At & { readonly hasUnit: boolean }) | undefined {
  const { tokens, text, lexicon } = source
  const from = beforeHour.has(keyAt(tokens, at, lexicon)) ? at + 1 : at
  const found = slot === 'H' ? numberAt(source, from) : orderAt(source, from)
  if (found === undefined) return undefined
  const { end } = tokens[found.to - 1] as Token
  const hasUnit = !lexicon.isDense && unitAround('', text.slice(end, end + 32))?.name === 'h'
  let to = hasUnit ? found.to + 1 : found.to
  while (behindHour.has(keyAt(tokens, to, lexicon))) to++
  return { value: found.value, to, hasUnit }
}

function numberAt({ text, tokens, lexicon }: Source, at: number): At | undefined {
  const { kind, raw } = tokens[at] ?? {}
  if (kind === 'number') return /^\d{1,2}$/.test(raw ?? '') ? { value: Number(raw), to: at + 1 } : undefined
  if (lexicon.isDense) return denseNumeralAt(tokens, at, lexicon)
  const key = keyAt(tokens, at, lexicon)
  const hour = lexicon.hours.get(key)
  if (hour !== undefined) return { value: hour, to: at + 1 }
  const numeral = numeralAt(text, tokens, at, lexicon)
  if (numeral !== undefined) return numeral
  const value = inflectedNumber(key, lexicon) ?? (lexicon.ones.has(key) ? 1 : undefined)
  return value === undefined ? undefined : { value, to: at + 1 }
}

function orderAt({ tokens, lexicon }: Source, at: number): At | undefined {
  const key = keyAt(tokens, at, lexicon)
  const ordinal = lexicon.ordinals.find(([{ text, at: place }]) =>
    place === 'whole' ? key === text : key.startsWith(text) && key.length <= text.length + 3,
  )
  return ordinal === undefined ? undefined : { value: ordinal[1], to: at + 1 }
}
