import { fold } from '../lexical/tokenise.ts'
import { type Language, languages } from './languages.ts'
import type { Reading, Token } from './tokens.ts'

/** Forms of one thing: whole words, and how words begin or end. */
export type Forms = readonly Form[]

export interface Form {
  readonly text: string
  readonly at: 'whole' | 'beginning' | 'end'
}

/** A language's lists, taken apart. */
export interface Lexicon {
  readonly code: string
  readonly inflects: boolean
  /** Whether words are not set apart, so that forms are looked for anywhere. */
  readonly isDense: boolean
  readonly negations: Forms
  readonly affirmations: Forms
  /** Groups of things that exclude one another. */
  readonly opposites: readonly (readonly Forms[])[]
  /** Values by word, or by words with a space between. */
  readonly numbers: ReadonlyMap<string, number>
  readonly ones: ReadonlySet<string>
  readonly joins: ReadonlySet<string>
  readonly common: ReadonlySet<string>
  readonly months: ReadonlyMap<string, number>
  /** Groups of names: of people and towns, of countries, of languages. */
  readonly names: readonly (readonly Form[])[]
  readonly beforeNames: Forms
  readonly afterNames: Forms
  /** All words of the lists, and how some begin. */
  readonly listed: ReadonlySet<string>
  readonly listedBeginnings: ReadonlySet<string>
}

const marks: ReadonlySet<Language['script']> = new Set(['Han', 'Kana', 'Thai'])
const lexicons = new Map<string, Lexicon>()

/** @throws Error for a language that is not in the table */
export function lexiconOf(code: string): Lexicon {
  let lexicon = lexicons.get(code)
  if (lexicon === undefined) {
    const language = languages[code]
    if (language === undefined) throw new Error(`Nothing is known of the language ${code}`)
    lexicon = readLanguage(code, language)
    lexicons.set(code, lexicon)
  }
  return lexicon
}

function readLanguage(code: string, language: Language): Lexicon {
  const foldIn = (text: string) => foldFor(code, text)
  const list = (text = '') => text.split('|').filter((each) => each !== '')
  const formsOf = (text = ''): Forms => list(text).map((form) => readForm(foldIn(form)))
  const words = (text: string) => new Set(list(text).map(foldIn))
  const numbers = new Map<string, number>()
  for (const [i, each] of language.numbers.split(';').entries())
    for (const word of list(each)) numbers.set(foldIn(word), i + 2)
  const tens = [20, 30, 40, 50, 60, 70, 80, 90, 100, 1000]
  for (const [i, each] of language.tens.split(';').entries())
    for (const word of list(each)) numbers.set(foldIn(word), tens[i] as number)
  const negations = formsOf(language.negations)
  const opposites = [
    ...language.opposites.split(';').map((group) => group.split('~').map(formsOf)),
    weekdays(code).map((name) => [nameForm(foldIn(name), language)]),
  ]
  const listed = [...negations, ...opposites.flat(2)]
  return {
    code,
    inflects: language.inflects ?? false,
    isDense: marks.has(language.script),
    negations,
    affirmations: formsOf(language.affirmations),
    opposites,
    numbers,
    ones: words(language.one),
    joins: words(language.and),
    common: words(language.common),
    months: new Map(months(code).flatMap(([name, month]) => [[foldIn(name), month]])),
    names: [formsOf(language.names), ...displayNames(code).map((names) => names.map((name) => nameForm(foldIn(name), language)))],
    beforeNames: formsOf(language.beforeNames),
    afterNames: formsOf(language.afterNames),
    listed: new Set([...listed.filter(({ at }) => at === 'whole').map(({ text }) => text), ...numbers.keys()]),
    listedBeginnings: new Set(listed.filter(({ at }) => at === 'beginning').map(({ text }) => text)),
  }
}

function readForm(form: string): Form {
  if (form.endsWith('*')) return { text: form.slice(0, -1), at: 'beginning' }
  if (form.startsWith('*')) return { text: form.slice(1), at: 'end' }
  return { text: form, at: 'whole' }
}

/** A name by its beginning, where its end changes or particles are written together with it. */
function nameForm(name: string, { script, inflects }: Language): Form {
  if (script === 'Hangul') return { text: name, at: 'beginning' }
  if (inflects !== true || name.length < 5) return readForm(name)
  return { text: name.slice(0, -1), at: 'beginning' }
}

/** In Vietnamese accents make other words; elsewhere many leave them out. */
function foldFor(code: string, text: string): string {
  return code === 'vi' ? text.normalize('NFC').toLowerCase() : fold(text)
}

/** 1 January 2024 was a Monday. */
const dayOf = (month: number, day: number) => new Date(Date.UTC(2024, month, day, 12))

function weekdays(code: string): string[] {
  const format = new Intl.DateTimeFormat(code, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, i) => format.format(dayOf(0, i + 1)).toLowerCase())
}

/** Names of months, alone and in a date, long and short, where they have letters. */
function months(code: string): [string, number][] {
  return (['long', 'short'] as const).flatMap((month) =>
    [{ month }, { month, day: 'numeric' as const }].flatMap((options) => {
      const format = new Intl.DateTimeFormat(code, { ...options, timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, i): [string, number] => {
        const part = format.formatToParts(dayOf(i, 3)).find(({ type }) => type === 'month')
        return [(part?.value ?? '').toLowerCase().replace(/\.$/, ''), i + 1]
      }).filter(([name]) => /^\p{L}{3,}$/u.test(name))
    }),
  )
}

const codes = Array.from({ length: 26 * 26 }, (_, i) => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26)))
const languageCodes = 'en fr de es it pt nl sv da no fi pl cs sk hu ro bg el ru uk tr ar he fa hi bn ta ur zh ja ko th vi id ms'

/** How a language calls countries, and languages. */
function displayNames(code: string): string[][] {
  const namesOf = (type: 'region' | 'language', all: readonly string[]) => {
    const names = new Intl.DisplayNames(code, { type, fallback: 'none' })
    return all.flatMap((each) => names.of(each)?.toLowerCase() ?? []).filter((name) => /^[\p{L}\p{M} ]{2,}$/u.test(name))
  }
  return [namesOf('region', codes), namesOf('language', languageCodes.split(' '))]
}

/** The words of a text one after the other, for finding forms in it. */
export function wordsOf({ tokens }: Pick<Reading, 'tokens'>, { code, isDense }: Lexicon): string {
  const words = tokens.map((token) => keyIn(code, token))
  return isDense ? words.join('') : ` ${words.join(' ')} `
}

export const keyIn = (code: string, { raw, key }: Token): string => (code === 'vi' ? foldFor(code, raw) : key)

/** Whether one of the forms is among the words. */
export function hasForm(words: string, forms: Forms, { isDense, code }: Lexicon): boolean {
  return forms.some(({ text, at }) => {
    if (isDense) return words.includes(text)
    if (at === 'beginning') return words.includes(` ${text}`)
    if (at === 'end') return words.includes(`${text} `)
    return words.includes(` ${text} `) || proclitics[code]?.some((clitic) => words.includes(` ${clitic}${text} `))
  })
}

/** Whether each of two texts has what the other lacks, of things that exclude one another. */
export function excludeEachOther(
  words: string,
  otherWords: string,
  group: readonly Forms[],
  lexicon: Lexicon,
): boolean {
  const has = group.map((forms) => hasForm(words, forms, lexicon))
  if (!has.includes(true)) return false
  const otherHas = group.map((forms) => hasForm(otherWords, forms, lexicon))
  return has.some((is, i) => is && !otherHas[i]) && otherHas.some((is, i) => is && !has[i])
}

/** Words that are written together with the next one. */
export const proclitics: Readonly<Record<string, readonly string[]>> = {
  ar: ['و', 'ف', 'ب', 'ل', 'ك', 'ال', 'وال', 'بال', 'لل'],
  he: ['ו', 'ה', 'ב', 'ל', 'ש', 'כ', 'מ', 'וה', 'שה', 'של'],
}

/** The words without those forms. */
export function withoutForms(words: string, forms: Forms, { isDense }: Lexicon): string {
  return forms.reduce((left, { text, at }) => {
    if (isDense) return left.replaceAll(text, '\u0001')
    const escaped = text.replaceAll(/[^\p{L}\p{M}\p{N} ]/gu, '')
    const pattern = at === 'beginning' ? `(?<= )${escaped}[^ ]*(?= )` : `(?<= )${escaped}(?= )`
    return left.replaceAll(new RegExp(pattern, 'gu'), '\u0001')
  }, words)
}

const scripts: readonly [RegExp, readonly string[]][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['ja']],
  [/\p{Script=Hangul}/u, ['ko']],
  [/\p{Script=Han}/u, ['zh']],
  [/\p{Script=Thai}/u, ['th']],
  [/\p{Script=Cyrillic}/u, ['ru', 'uk', 'bg']],
  [/\p{Script=Greek}/u, ['el']],
  [/\p{Script=Arabic}/u, ['ar', 'fa']],
  [/\p{Script=Hebrew}/u, ['he']],
  [/\p{Script=Devanagari}/u, ['hi']],
]
const latin = Object.keys(languages).filter((code) => languages[code]?.script === 'Latin')

/**
 * The language that most of a text's words are known of: by its script, and among the languages of one script by frequent
 * words. Undefined where no word tells.
 */
export function guessLanguage({ text, tokens }: Reading): string | undefined {
  const codes = scripts.find(([script]) => script.test(text))?.[1] ?? latin
  if (codes.length === 1) return codes[0]
  let best: string | undefined
  let most = 0
  for (const code of codes) {
    const lexicon = lexiconOf(code)
    let score = 0
    for (const token of tokens) {
      const key = keyIn(code, token)
      if (lexicon.common.has(key)) score += 2
      else if (isListed(key, lexicon)) score += 1
    }
    score += (letters[code]?.test(text) ?? false) ? letterScore : 0
    if (score > most) {
      most = score
      best = code
    }
  }
  return best ?? (codes === latin ? undefined : codes[0])
}

function isListed(key: string, { listed, listedBeginnings }: Lexicon): boolean {
  if (listed.has(key)) return true
  for (let length = 3; length <= key.length; length++) if (listedBeginnings.has(key.slice(0, length))) return true
  return false
}

/** A letter of few languages tells more than a word, which others may have too. */
const letterScore = 2.5

/** Letters that few other languages of the script have. */
const letters: Readonly<Record<string, RegExp>> = {
  pl: /[ąęłńśźż]/iu,
  cs: /[ěřůčšž]/iu,
  hu: /[őű]/iu,
  tr: /[ığş]|İ/u,
  ro: /[șțşţă]/iu,
  vi: /[ảạấầẩẫậắằẳẵặẻẽẹếềểễệỉĩịỏọốồổỗộớờởỡợủũụứừửữựỳỷỹỵđơư]/iu,
  de: /ß/u,
  es: /[ñ¿¡]/iu,
  pt: /[ãõ]/iu,
  sv: /å/iu,
  da: /[æøå]/iu,
  fr: /[œëîû]/iu,
  uk: /[іїєґ]/iu,
  ru: /[ыэё]/iu,
  fa: /[پچژگکی]/u,
}

/** Whether two languages are written in one script; one that is not known may be any. */
export function isSameScript(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return true
  return languages[one]?.script === languages[other]?.script
}
