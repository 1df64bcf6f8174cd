import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { endsWithTitle } from '../sentence-segmenter.ts'

/** A word, a number as it is written, or one character where words are not set apart. */
export interface Token {
  /** As written. */
  readonly raw: string
  /** Without case and accents: by it tokens are the same. */
  readonly key: string
  /** Without case alone. */
  readonly lower: string
  readonly kind: 'word' | 'number' | 'dense' | 'sign'
  /** Whether a sentence, a quotation or a line begins with it, where every word has a capital. */
  readonly isFirst: boolean
  /** Whether a mark such as a comma stands before it. */
  readonly isSetOff: boolean
  /** Whether a hyphen or a slash, and nothing else, stands between it and the token before. */
  readonly isJoined: boolean
  /** Whether nothing stands between it and the token before. */
  readonly isGlued: boolean
  /** Whether it stands behind a mark within an address, such as the last word of "ada@acme.com", which is of no language. */
  readonly isOfAddress: boolean
  /** Where it ends in the text that was read. */
  readonly end: number
}

/** What is compared of a text: the text in one form of writing, and its tokens. */
export interface Reading {
  readonly text: string
  readonly tokens: readonly Token[]
}

const dense = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const katakana = String.raw`[\p{Script=Katakana}ー]`
const number = String.raw`(?<![\p{L}\p{Nd}.,])\p{Nd}+(?:[.,]\p{Nd}+)?[eE][+-]?\p{Nd}{1,2}(?![\p{L}\p{Nd}.,]*[\p{L}\p{Nd}])|(?<![\p{L}\p{Nd}.])\.\p{Nd}+(?![.\p{Nd}])|\p{Nd}{1,3}(?:[ \u00a0\u202f]\p{Nd}{3})+(?!\p{Nd})|\p{Nd}+(?:[.,:/’'\u066b\u066c-]\p{Nd}+)*`
/** A minus that nothing but a number follows; between words, and in a range or a date, it stands for something else. */
const minus = String.raw`(?<=^|[\s(:=]|\b(?:UTC|GMT|utc|gmt))(?<!\p{Nd}(?:[\p{L}.°€%]{0,4}| ?(?:[ap]m|Uhr))\s)[–-](?=\p{Sc}?\.?\p{Nd})|(?<=(?!度)\p{Script=Han})-(?=[\p{Nd}.]+ ?(?:°|度))`
/** The sign of a blood group, or of a mark at school. */
const rhesus = String.raw`(?<=(?<![\p{L}\p{Nd}])(?:[ABCDO0]|AB|Rh))[+-](?![\p{L}\p{Nd}+-])`
const tokens = new RegExp(
  String.raw`(?<number>${number})|(?<dense>[${dense}])|(?<word>${katakana}+|(?:(?![${dense}]|${katakana})[\p{L}\p{M}])+)|(?<sign>[\p{Sc}%‰°\p{So}]|${minus}|${rhesus})`,
  'gu',
)

const notWords: readonly [RegExp, string][] = [
  [/\bcan['’]t\b|\bcannot\b/giu, 'can not'],
  [/\bwon['’]t\b/giu, 'will not'],
  [/n['’]t\b/giu, ' not'],
]
/** Within a word a hyphen or a slash joins its parts, as in "t-shirt"; beside a space it parts what is said. */
const settingOff = /[,;:、，·]|(?<=\s)[/+–-]|[/+–-](?=\s)/u
/** A mark of abbreviation within a Hebrew word. */
const gershayim = /(?<=\p{Script=Hebrew})["״”](?=\p{Script=Hebrew})/gu
/** Within a word of Ukrainian, where it parts two sounds. */
const cyrillicApostrophe = /(?<=\p{Script=Cyrillic})['’ʼ](?=\p{Script=Cyrillic})/gu
/** These say another number than the same digits on the line. */
const raised = /[\u00b2\u00b3\u00b9\u2070-\u209c]+/gu

/** Takes a text apart; only its beginning counts where it is long. */
export function readTokens(whole: string): Reading {
  const text = unify(whole.slice(0, parameters.contradiction.textCharacters))
  const read: Token[] = []
  let end = 0
  for (const { 0: raw, index, groups } of text.matchAll(tokens)) {
    const before = text.slice(end, index)
    end = index + raw.length
    const kind = (['number', 'dense', 'word', 'sign'] as const).find((name) => groups?.[name] !== undefined)
    read.push({
      raw,
      key: kind === 'number' ? raw : fold(raw),
      lower: raw.toLowerCase(),
      kind: kind ?? 'sign',
      isFirst: read.length === 0 || (/[.!?¿¡。！？:"“«„\n]/u.test(before) && !isTitle(read.at(-1), before)),
      isSetOff: settingOff.test(before),
      isJoined: /^[/+–-]$/u.test(before),
      isGlued: read.length > 0 && before === '',
      isOfAddress: /^[.@]$/.test(before) && /^\p{Ll}/u.test(raw),
      end,
    })
  }
  return { text, tokens: read }
}

/** Whether a full stop ends a title or an initial: Dr. Meyer, J. Meyer. */
const isTitle = (last: Token | undefined, between: string): boolean =>
  last !== undefined && /^\. ?$/.test(between) && endsWithTitle(`${last.raw}.`)

function unify(text: string): string {
  let unified = text
    // One and a half is no eleven halves.
    .replaceAll(/(?<=\p{Nd})(?=[¼-¾⅐-⅞])/gu, ' ')
    .replaceAll(raised, (digits) => `#${Array.from(digits, (digit) => digit.codePointAt(0)).join('')}#`)
    .normalize('NFKC')
    .replaceAll('\u2044', '/')
    .replaceAll('\u2212', '-')
    .replaceAll(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
    .replaceAll(gershayim, '')
    .replaceAll(cyrillicApostrophe, '')
  for (const [written, meant] of notWords) unified = unified.replaceAll(written, meant)
  return unified
}

/** Decimal digits of any script stand in rows of ten, from zero to nine. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) as number
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}
