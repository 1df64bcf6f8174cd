import { fold } from '../lexical/tokenise.ts'
import { differences } from './alignment.ts'
import { copula } from './roles.ts'
import type { Token } from './tokens.ts'
import { unitAround } from './units.ts'

/** An emoji, with all that it is made of, or a sign such as a chessman or one of logic: but not those that go with numbers and names. */
const symbol = /^(?![\d#*©®°¦])(?:\p{So}|\p{Extended_Pictographic}|\p{Regional_Indicator}|[∀∃∧∨∩∪])/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Says that a character is drawn as an emoji, or as a letter. */
const drawing = /[\ufe0e\ufe0f]/gu
const anySymbol = /[\p{So}\p{Extended_Pictographic}\p{Regional_Indicator}∀∃∧∨∩∪]/u

/**
 * Whether each text has an emoji or another sign that the other lacks, or repeats another number of times. What one has and the
 * other has not at all may only decorate it, as what opens or closes a sentence does.
 */
export function haveOtherSymbols(one: string, other: string): boolean {
  if (!anySymbol.test(one) || !anySymbol.test(other)) return false
  const [symbols, others] = [symbolsOf(one), symbolsOf(other)]
  return symbols.some((each) => !others.includes(each)) && others.some((each) => !symbols.includes(each))
}

const anyWord = /[\p{L}\p{N}]/u
const sentenceEnd = /[\n.!?。！？…]+/u
/** Words behind which a sentence does not end, so that the sign behind them is what it tells of: the password is 🫨. */
const leading = new Set(
  'from of with by as a an the my our called named von aus mit als mein unser heißt heisst avec comme mon notre con como mi nuestro com meu nosso van met als mijn onze från med som från min vår fra'.split(
    ' ',
  ),
)
/** In scripts without spaces or with particles: "is", "with" and the like before a sign. */
const leadingEnd = /(?:[是为為叫用はがのをと]|\p{Script=Hangul}[는은이가를을])$/u

/** The signs of a text that are part of what it says: a text of nothing else, those within a sentence, and how many stars. */
function symbolsOf(text: string): string[] {
  const hasWords = anyWord.test(text)
  return text.split(sentenceEnd).flatMap((sentence) => {
    const parts = Array.from(graphemes.segment(sentence), ({ segment }) => segment.replaceAll(drawing, ''))
    const isWord = (part: string) => anyWord.test(part)
    const [first, last] = [parts.findIndex(isWord), parts.findLastIndex(isWord)]
    return parts.flatMap((part, from) => {
      if (!symbol.test(part) || parts[from - 1] === part) return []
      let to = from + 1
      while (parts[to] === part) to++
      const run = parts.slice(from, to).join('')
      const isWithin = from > first && from < last
      if (!hasWords || isWithin || alwaysTells(run)) return [run]
      const isTold =
        from < last
          ? isToldOf(parts.slice(to, to + beside))
          : leadsTo(parts.slice(Math.max(0, from - beside), from))
      return isTold ? [run] : []
    })
  })
}

/** Signs of logic, and several stars: one alone may be the mark of an item of a list. */
const alwaysTells = (run: string): boolean => /^(?:[★☆⭐]{2}|[∀∃∧∨∩∪])/u.test(run)
/** So many characters beside a sign tell whether a word makes it what is told of. */
const beside = 24

/** Whether what follows a sign tells of it: 🍎 is my favourite. */
const isToldOf = (behind: readonly string[]): boolean =>
  copula.test(fold(behind.join('').match(/[\p{L}\p{M}]+/u)?.[0] ?? ''))

/** Whether what stands before a sign leads to it: the password is 🫨. */
function leadsTo(before: readonly string[]): boolean {
  const text = before.join('')
  if (/[:=—–] ?["“„«(]?$/u.test(text)) return true
  const word = text.match(/[\p{L}\p{M}]+/gu)?.at(-1) ?? ''
  return copula.test(fold(word)) || leading.has(word.toLowerCase()) || leadingEnd.test(word)
}

/** Scripts, with the marks that only add to their words, as accents do; elsewhere marks are letters. */
const scripts: readonly { readonly name: string; readonly letter: RegExp; readonly hasAccents: boolean }[] = [
  { name: 'Latin', letter: /\p{Script=Latin}/u, hasAccents: true },
  { name: 'Cyrillic', letter: /\p{Script=Cyrillic}/u, hasAccents: true },
  { name: 'Greek', letter: /\p{Script=Greek}/u, hasAccents: true },
  { name: 'Arabic', letter: /\p{Script=Arabic}/u, hasAccents: true },
  { name: 'Hebrew', letter: /\p{Script=Hebrew}/u, hasAccents: true },
  { name: 'Devanagari', letter: /\p{Script=Devanagari}/u, hasAccents: false },
  { name: 'Hangul', letter: /\p{Script=Hangul}/u, hasAccents: false },
  { name: 'Thai', letter: /\p{Script=Thai}/u, hasAccents: false },
  // Chinese and Japanese have the first of these in common, which stands among the others.
  { name: 'Han', letter: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, hasAccents: false },
]
/** All other scripts are taken for one: few texts have two of them. */
const rest = { name: 'other', letter: /\p{L}/u, hasAccents: false }

const scriptOf = ({ raw }: Token) => scripts.find(({ letter }) => letter.test(raw)) ?? rest

/**
 * Whether texts have, in the same place, other words of a script of which most of neither text is, or other rare characters:
 * names, which an encoder may know no letter of. Another script may write the same name otherwise.
 */
export function haveOtherForeignWords(one: readonly Token[], other: readonly Token[]): boolean {
  const [main, otherMain] = [mainScript(one), mainScript(other)]
  if (main === undefined || main !== otherMain) return false
  const [keys, otherKeys] = [one, other].map((tokens) => tokens.map(keyOf)) as [string[], string[]]
  return differences(keys, otherKeys).some((place) => {
    const [words, otherWords] = [foreignIn(one, place.one, main), foreignIn(other, place.other, main)]
    if (words === undefined || otherWords === undefined || words.script !== otherWords.script) return false
    // What the other text has as well only stands elsewhere.
    const isOther = words.keys.some((key) => !otherKeys.includes(key))
    return isOther && otherWords.keys.some((key) => !keys.includes(key)) && words.text !== otherWords.text
  })
}

const isLetters = ({ kind }: Token): boolean => kind === 'word' || kind === 'dense'

/** As a word is compared: with its marks, where these are letters. */
const keyOf = (token: Token): string =>
  isLetters(token) && !scriptOf(token).hasAccents ? token.lower : token.key

/** The script of most words of a text; of one that sets no words apart each character counts. */
function mainScript(tokens: readonly Token[]): string | undefined {
  const counts = new Map<string, number>()
  for (const token of tokens.filter(isLetters)) {
    const { name } = scriptOf(token)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most?.[0]
}

/** What stands in a place of words of one script that is not the text's, or of rare characters; a unit behind a number is none. */
function foreignIn(
  tokens: readonly Token[],
  [from, to]: readonly [number, number],
  main: string,
): { script: string; text: string; keys: string[] } | undefined {
  const words = tokens
    .slice(from, to)
    .filter(isLetters)
    .map((token) => {
      const script = scriptOf(token).name
      const key = keyOf(token)
      return { script, key, text: script === main ? rareIn(token.lower) : key }
    })
    .filter(({ text }) => text !== '')
  const [first] = words
  if (first === undefined || words.some(({ script }) => script !== first.script)) return undefined
  if (tokens[from - 1]?.kind === 'number' && unitAround('', first.text) !== undefined) return undefined
  return {
    script: first.script,
    text: words.map(({ text }) => text).join(''),
    keys: words.map(({ key }) => key),
  }
}

/** The characters of a word that are in names and in few other words, so that the shipped encoder knows hardly one of them. */
const rareIn = (word: string): string => Array.from(word).filter(isRare).join('')

function isRare(character: string): boolean {
  if (/[\p{Script=Han}\p{Script=Hangul}]/u.test(character)) return !commonCharacters().has(character)
  return !readScripts.test(character)
}

/** Scripts of which the shipped encoder knows the letters, and what scripts have in common. */
const readScripts =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Armenian}\p{Script=Bengali}\p{Script=Ethiopic}\p{Script=Georgian}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Lao}\p{Script=Malayalam}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Common}\p{Script=Inherited}]/u

/**
 * The everyday characters of Chinese, Japanese and Korean, by the rows of their national standards that are in the order of
 * how they are read (GB 2312 level 1, JIS X 0208 level 1, KS X 1001), or that are the more frequent ones (Big5 level 1).
 */
const commonCharacters = (): ReadonlySet<string> => {
  common ??= new Set(
    (
      [
        ['gb2312', 0xb0, 0xd7],
        ['big5', 0xa4, 0xc6],
        ['euc-jp', 0xb0, 0xcf],
        ['euc-kr', 0xb0, 0xc8],
      ] as const
    ).flatMap(([encoding, first, last]) => Array.from(decodeRows(encoding, first, last))),
  )
  return common
}
let common: ReadonlySet<string> | undefined

function decodeRows(encoding: string, first: number, last: number): string {
  const bytes: number[] = []
  const leastTrail = encoding === 'big5' ? 0x40 : 0xa1
  for (let row = first; row <= last; row++)
    for (let cell = leastTrail; cell <= 0xfe; cell++) if (cell <= 0x7e || cell >= 0xa1) bytes.push(row, cell)
  return new TextDecoder(encoding).decode(Uint8Array.from(bytes))
}
