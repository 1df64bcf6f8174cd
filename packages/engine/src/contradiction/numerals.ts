import type { Difference } from './alignment.ts'
import type { Reading, Token } from './tokens.ts'
import { type Unit, unitAround } from './units.ts'
import { keyIn, type Lexicon, lexiconsFor, proclitics } from './words.ts'

export const rounded = (value: number): string => String(Number(value.toPrecision(12)))

/** Words and characters that make a number so many times as large, or a fraction of it. */
const scales = new Map(
  [
    [1 / 3, 'thirds drittel tiers tercios terzi tercos'],
    [1 / 4, 'quarters fourths viertel quarts cuartos quarti quartos kwart'],
    [1 / 5, 'fifths funftel'],
    [1 / 8, 'eighths achtel'],
    [
      1e3,
      'thousand tausend mille mil mila duizend tusen tusind tysiac tysiace tysiecy тысяча тысячи тысяч тыс tsd',
    ],
    [1e4, '万 萬 만 만원'],
    [
      1e6,
      'million millions mio mln millionen millon millones milhao milhoes milione milioni miljoen miljon miljoner millioner milion miliony milionow млн миллион миллиона миллионов миллиону miliona milionu milioane miljoonaa miljoona millio milyon juta мільйон мільйона мільйонів мільйони милион милиона милиони εκατομμυριο εκατομμυρια مليون ملايين میلیون מיליון',
    ],
    [1e5, 'लाख'],
    [1e7, 'करोड़'],
    [1e8, '亿 億 억 억원'],
    [
      1e9,
      'bn milliard milliards milliarden milliarde mrd miliardo miliardi miljard miljarder milliarder miliard miliardy miliardow млрд миллиард миллиарда миллиардов miliarda milyar мільярд мільярда мільярдів милиард милиарда δισεκατομμυριο δισεκατομμυρια مليار מיליארד',
    ],
    [1e12, 'billion billionen billions billon billones trillion trillions'],
  ].flatMap(([factor, words]) =>
    String(words)
      .split(' ')
      .map((word) => [word, Number(factor)] as const),
  ),
)
/** In English a billion is what others call a milliard. */
export const scaleOf = (key: string, lexicon: Lexicon | undefined): number | undefined =>
  /^billions?$/.test(key) && (lexicon === undefined || lexicon.code === 'en') ? 1e9 : scales.get(key)

/** Whether a numeral goes on: what is added is smaller than all that it may be added to. */
const fits = (sum: number, next: number): boolean => {
  if (next >= 100) return sum % 1000 === 0
  // Sixty and eighty go on up to nineteen, in French.
  if (next < 20 && (sum % 100 === 60 || sum % 100 === 80)) return true
  return sum % 100 === 0 || (next < 10 && sum % 10 === 0 && sum % 100 >= 20)
}

/** A numeral of several words: what comes later is added to what came before, or makes it so many times as large. */
function numeralIn(
  text: string,
  tokens: readonly Token[],
  from: number,
  lexicon: Lexicon,
): NumeralFound | undefined {
  const [and] = lexicon.joins
  const first = valueAt(tokens, from, lexicon)
  if (first === undefined || first.value >= 1e4) return undefined
  // Of these the second is what may yet be made larger: in "two thousand three hundred" the three.
  let [total, part] = first.scale === 1e3 ? [first.value, 0] : [0, first.value]
  let [to, unscaled] = [first.to, undefined as string | undefined]
  for (;;) {
    const isJoined = keyAt(tokens, to, lexicon) === and
    const next = valueAt(tokens, isJoined ? to + 1 : to, lexicon)
    if (next === undefined || /[^\s-]/.test(gapBefore(text, tokens, to))) break
    if (next.scale > 1) {
      if (isJoined || part >= next.scale || (total > 0 && total < next.scale * part)) break
      // Two hundred in French, deux cents, may be money as well.
      const isMoney = keyAt(tokens, next.to - 1, lexicon) === 'cents'
      unscaled = (next.scale >= 1e3 || isMoney) && total === 0 ? rounded(part) : undefined
      if (next.scale === 100) part *= 100
      else [total, part] = [total + part * next.scale, 0]
    } else {
      // "One hundred and two hundred" are two numbers; "fifty and five thousand" are one.
      const after = valueAt(tokens, next.to, lexicon)?.scale ?? 1
      if ((after === 100 && part >= 100) || (after > 1 && isJoined && !(next.value < 10 && part % 100 >= 20)))
        break
      if (!fits(part === 0 ? total : part, next.value)) break
      part += next.value
      unscaled = undefined
    }
    to = next.to
  }
  // A word for one that nothing goes on with may as well count nothing.
  const isOne =
    to === first.to && numberOf(keyAt(tokens, from, lexicon), lexicon) === undefined && first.value === 1
  return isOne ? undefined : { value: total + part, unscaled, to }
}

/** A numeral of Korean in one word, perhaps with what it counts; a part of another word has seldom such a form. */
const korean =
  /^(?<numeral>[일이삼사오육칠팔구십백천만억]*[십백천만억][일이삼사오육칠팔구십백천만억]*)(?:(?<unit>원|명|년|엔|위안|달러|유로|파운드|킬로그램|킬로미터|킬로|그램|톤|미터|시간|개월)\p{L}{0,4})?$/u
const hanDigits = '一二三四五六七八九十百千万亿'
const koreanDigits = new Map(
  Array.from('일이삼사오육칠팔구십백천만억', (digit, i) => [digit, hanDigits[i] as string]),
)

/** A whole numeral from a place on. */
export const numeralAt = (
  text: string,
  tokens: readonly Token[],
  at: number,
  lexicon: Lexicon,
): NumeralFound | undefined => koreanAt(tokens, at, lexicon) ?? numeralIn(text, tokens, at, lexicon)

function koreanAt(tokens: readonly Token[], at: number, { code }: Lexicon): NumeralFound | undefined {
  const { numeral, unit } = (code === 'ko' ? korean.exec(tokens[at]?.raw ?? '')?.groups : undefined) ?? {}
  if (numeral === undefined || numeral.length < 2) return undefined
  const value = hanNumber(Array.from(numeral, (digit) => koreanDigits.get(digit) ?? digit))
  return { value, unscaled: undefined, to: at + 1, unit: unitAround('', unit ?? '') }
}

export interface NumeralFound {
  readonly value: number
  /** What is written together with it. */
  readonly unit?: Unit | undefined
  /** Without the word that makes it larger, where that is its last. */
  readonly unscaled: string | undefined
  readonly to: number
}

interface Numeral {
  readonly value: number
  /** How many times as large it makes what stands before it, or 1. */
  readonly scale: number
  readonly to: number
}

export const keyAt = (tokens: readonly Token[], at: number, { code }: Lexicon): string =>
  tokens[at] === undefined ? '' : keyIn(code, tokens[at])

const gapBefore = (text: string, tokens: readonly Token[], at: number): string =>
  text.slice(tokens[at - 1]?.end ?? 0, (tokens[at]?.end ?? 0) - (tokens[at]?.raw.length ?? 0))

/** The value of one or two words; of a word for one only where it goes on, as in "twenty-one" and "a hundred". */
function valueAt(tokens: readonly Token[], at: number, lexicon: Lexicon): Numeral | undefined {
  const key = keyAt(tokens, at, lexicon)
  const two = lexicon.numbers.get(`${key} ${keyAt(tokens, at + 1, lexicon)}`)
  if (two !== undefined) return { value: two, scale: 1, to: at + 2 }
  const value = numberOf(key, lexicon) ?? (lexicon.ones.has(key) ? 1 : undefined)
  const scale = value === 100 || value === 1000 ? value : (scaleOf(key, lexicon) ?? 1)
  if (value === undefined && scale < 1e3) return undefined
  return { value: value ?? scale, scale: Math.max(1, scale), to: at + 1 }
}

/** Shorter words are of one part. */
const leastCompound = 5

/** The value of a word that is a numeral, or made of several. */
function numberOf(word: string, lexicon: Lexicon): number | undefined {
  const own = lexicon.numbers.get(word)
  if (own !== undefined || word.length < leastCompound || lexicon.ones.has(word)) return own
  const whole = /^(.+)(?:einhalb|enhalve?|enhalf)$/.exec(word)?.[1]
  if (whole !== undefined) return (lexicon.numberParts.get(whole) ?? Number.NaN) + 0.5 || undefined
  return compoundOf(word, lexicon)
}

/**
 * The value of a word with a thousand or a hundred in it, as German has for whole numerals; of a part of one, that part's. In
 * what stands before or behind a thousand only a hundred is looked for, so that a long word takes no longer.
 */
function compoundOf(word: string, lexicon: Lexicon, below = Number.POSITIVE_INFINITY): number | undefined {
  const own = lexicon.numberParts.get(word)
  if (own !== undefined) return own
  const [and = ''] = lexicon.joins
  for (const [name, power] of lexicon.powers) {
    const at = power < below ? word.indexOf(name) : -1
    if (at < 0) continue
    const part = (of: string, none: number) => (of === '' ? none : compoundOf(of, lexicon, power))
    const times = part(word.slice(0, at), 1)
    if (times === undefined || times >= power) continue
    const rest = word.slice(at + name.length)
    const more = part(rest, 0) ?? part(rest.replace(and, ''), 0)
    if (more !== undefined && more < power) return times * power + more
  }
  return undefined
}

/** The value of a numeral with the ending of its place in a sentence, or with a preposition written before it. */
export function inflectedNumber(word: string, lexicon: Lexicon): number | undefined {
  const { numberEndings, numberParts, code } = lexicon
  for (const [bare, ending] of numberEndings) {
    const stem = word.endsWith(ending) ? word.slice(0, -ending.length) + bare : ''
    const value = numberParts.get(stem) ?? numberOf(stem, lexicon)
    if (value !== undefined && value > 1) return value
  }
  const led = proclitics[code]?.find(
    (each) => word.startsWith(each) && lexicon.numbers.has(word.slice(each.length)),
  )
  return led === undefined ? undefined : lexicon.numbers.get(word.slice(led.length))
}

/** Shorter words for numbers are other words in other languages. */
const leastTelling = 5

/**
 * Whether a word for a number stands in the place of one for another, of one language. In a short sentence the others seldom
 * tell which, so all languages of its script are looked at.
 */
export function haveOtherNumerals(one: Reading, other: Reading, places: readonly Difference[]): boolean {
  const pairs = places.flatMap(({ one: [from, to], other: [start, end] }) => {
    const [word, there] = [one.tokens[from], other.tokens[start]]
    const isPair = to - from === 1 && end - start === 1 && word?.kind === 'word' && there?.kind === 'word'
    return isPair && Math.min(word.key.length, there.key.length) >= leastTelling
      ? [[word, there] as const]
      : []
  })
  if (pairs.length === 0) return false
  const lexicons = lexiconsFor(`${one.text} ${other.text}`)
  const isOrdinary = (token: Token) =>
    lexicons.some(({ code, common, verbs }) => [common, verbs].some((words) => words.has(keyIn(code, token))))
  const numberIn = (token: Token, lexicon: Lexicon) =>
    numberOf(keyIn(lexicon.code, token), lexicon) ?? inflectedNumber(keyIn(lexicon.code, token), lexicon)
  return pairs.some((pair) => {
    if (pair.some(isOrdinary)) return false
    return lexicons.some((lexicon) => {
      const [value, otherValue] = pair.map((token) => numberIn(token, lexicon))
      return value !== undefined && otherValue !== undefined && value !== otherValue
    })
  })
}

// Maps, here and wherever a word of a text is looked up: an object has a "constructor" that nobody gave it.
const numerals = new Map(
  ['〇零', '一', '二两兩', '三', '四', '五', '六', '七', '八', '九'].flatMap((digits, value) =>
    Array.from(digits, (digit) => [digit, value] as const),
  ),
)
const powers = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
])
/** These make all that stands before them larger. */
const myriads = new Map([
  ['万', 1e4],
  ['萬', 1e4],
  ['亿', 1e8],
  ['億', 1e8],
])

/** Words of Thai that make the number before them larger. */
const thaiPowers = new Map('สิบ ร้อย พัน หมื่น แสน ล้าน'.split(' ').map((word, i) => [word, 10 ** (i + 1)]))

/** A number in characters of Han, or in words that are not set apart. */
export function denseNumeralAt(
  tokens: readonly Token[],
  at: number,
  lexicon: Lexicon,
): NumeralFound | undefined {
  if (lexicon.code === 'th') return thaiNumeralAt(tokens, at, lexicon)
  let to = at
  while (tokens[to] !== undefined && isNumeral((tokens[to] as Token).raw)) to++
  // A myriad alone is more often a part of a word.
  if (to === at || myriads.has((tokens[at] as Token).raw)) return undefined
  return { value: hanNumber(tokens.slice(at, to).map(({ raw }) => raw)), unscaled: undefined, to }
}

/** Most characters of a word for a number in Thai, and of its last one of several. */
const thaiWord = 10

function thaiNumeralAt(
  tokens: readonly Token[],
  at: number,
  { numbers, ones }: Lexicon,
): NumeralFound | undefined {
  const numberIn = (word: string) =>
    numbers.get(word) ?? thaiPowers.get(word) ?? (ones.has(word) ? 1 : undefined)
  let [total, sum, to] = [0, 0, at]
  for (;;) {
    const keys = tokens.slice(to, to + thaiWord).map(({ key }) => key)
    const length = keys.findLastIndex((_, i) => numberIn(keys.slice(0, i + 1).join('')) !== undefined) + 1
    const word = keys.slice(0, length).join('')
    const [value, power] = [numberIn(word), thaiPowers.get(word)]
    if (value === undefined) break
    if (power !== undefined && sum > 0 && sum < power) [total, sum] = [total + sum * power, 0]
    else if (to > at && (power !== undefined || !fits(sum, value))) break
    else sum += value
    to += length
  }
  // Of one alone nothing says that it counts.
  return total + sum < 2 ? undefined : { value: total + sum, unscaled: undefined, to }
}

const isNumeral = (character: string): boolean =>
  numerals.has(character) || powers.has(character) || myriads.has(character)

function hanNumber(characters: readonly string[]): number {
  if (characters.every((character) => numerals.has(character)))
    return Number(characters.map((character) => numerals.get(character)).join(''))
  let [total, sum, last] = [0, 0, 0]
  for (const character of characters) {
    const [power, myriad] = [powers.get(character), myriads.get(character)]
    if (myriad !== undefined) {
      total = myriad > 1e4 ? (total + sum + last) * myriad : total + (sum + last) * myriad
      ;[sum, last] = [0, 0]
    } else if (power === undefined) last = numerals.get(character) ?? 0
    else {
      sum += Math.max(1, last) * power
      last = 0
    }
  }
  return total + sum + last
}
