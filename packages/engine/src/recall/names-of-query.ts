import { fold } from '../lexical/tokenise.ts'
import { telephoneNumber, withoutBrackets } from '../telephone-number.ts'
import { spaceless } from './word-set.ts'

/** Of the other scripts; a particle in Hangul follows a name without white space. */
const wordCharacter = String.raw`[[\p{L}\p{N}_]--[${spaceless}\p{sc=Hangul}]]`
const label = String.raw`[${wordCharacter}\-]+`
/** What may be an address: of a page, of mail, of a file or folder, of a host. */
const address = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}+.\-])\p{L}[\p{L}\p{N}+.\-]*:\/\/[^\s"'<>«»“”]+`,
    String.raw`(?<![^\s@,;:!?\(\)<>"'«»“”])[^\s@,;:!?\(\)<>"'«»“”]+@${label}(?:\.${label})+`,
    String.raw`(?<!${wordCharacter})(?:\p{L}:|\\)\\[^\s"'<>\|«»“”]+`,
    String.raw`(?<!${wordCharacter}|[.~])(?:~|\.{1,2})?(?:\/[${wordCharacter}.@+\-]+)+`,
    String.raw`(?<![${wordCharacter}\-])${label}(?:[.\/\\]+${label})+`,
  ].join('|'),
  'gv',
)
/** Which has a mark of one: "2.14.1", "and/or" and "z.B" have none, "notes.txt" and "wiki.acme.io" have. */
const isAddress = (word: string): boolean =>
  /:\/\/|[@\\]|^(?:~|\.{1,2})?\/|[\p{L}\p{N}_-]{2}\.\p{L}{2}/u.test(word)
/** What the sentence around an address adds to it, and its last slash. */
const behindAddress = /(?<![/\\.,;:!?)\]}])[/\\.,;:!?)\]}]+$/u

/** Words, also joined ones, among which are names of one thing: hashes, numbers of orders and calls, UUIDs, error codes. */
const identifier = new RegExp(
  String.raw`${wordCharacter}(?:${wordCharacter}|[\-.\/:#](?=${wordCharacter}))*`,
  'gv',
)
const groupsOf = (first: string, others: string): RegExp =>
  new RegExp(
    String.raw`(?<!${wordCharacter}[\-.\/:#]?)${first}(?:[ \-.\/]${others})+(?![\-.\/:#]?${wordCharacter})`,
    'gv',
  )
/** Groups of digits, also behind a few letters, which may be one long number: "0171 4455 902", "DE89 3704 0044 0532". */
const grouped = groupsOf(String.raw`\p{L}{0,3}\p{N}+`, String.raw`\p{N}+`)
/** Groups of digits and capitals, which may be one code: "AB 123 CD", "1Z 999 AA1 01 2345 6784". */
const codes = groupsOf(String.raw`[\p{Lu}\p{N}]+`, String.raw`[\p{Lu}\p{N}]+`)
const dayOrMonth = '(?:0?[1-9]|[12]\\d|3[01])'
/** A day or an hour; both together are of one entry of a log. "123-45-6789" is a number. */
const dateOrTime = new RegExp(
  String.raw`^(?:\d{1,4}[-.\/:]\d{1,2}|${dayOrMonth}[-.\/:]${dayOrMonth}[-.\/:](?:\d{4}|\d\d?)|\d{4}[-.\/:]${dayOrMonth}[-.\/:]${dayOrMonth}|\d{1,2}:\d\d:\d\d|\d{1,2}[:h]\d{2}(?:am|pm)?)$`,
  'u',
)
/** As logs begin with one, folded: "2026-03-04t05:06:07z". */
const moment = /^\d{4}-\d\d-\d\dt\d\d:\d\d[\d:.]*z?$/u
const spacedMoment = /(?<=(?<!\d)\d{4}-\d\d-\d\d) (?=\d\d:\d\d)/gu
/** Of Britain, which have too few digits for another code; folded. */
const postcode = /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/u
const spacedPostcode = /(?<![\p{L}\p{N}])[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}(?![\p{L}\p{N}])/giu
/** With a unit or without; years are none of these names either. */
const quantity = /^(?:\d{1,3}|1[89]\d\d|20\d\d)(?:[.,]\d+)?\p{L}{0,3}$/u
/** Of a version, a chapter or an address of the network. Read as a date it is one that few texts have. */
const dotted = /^v?\d{1,3}(?:\.\d{1,3}){2,}$/u
/** What programs name things by: words joined by low lines, or by capitals within; "iPhone" and "eBay" are names of shops. */
const programName = /^(?:\p{L}+(?:_\p{L}+)+|\p{Ll}{2,}(?:\p{Lu}\p{Ll}+)+)$/u

/** A query may be a whole log: the first names are looked for. */
const namesMax = 16

/** Tells a text, as `fold` gives it, that holds a name as a whole word. */
export interface NameOfQuery {
  /** What a lexical search finds texts with it by. */
  name: string
  isIn(folded: string): boolean
}

/** A name before the pattern that finds it is made, which takes far longer than to find the name in a query. */
interface Identifier {
  isAddress: boolean
  /** As `fold` gives it. */
  folded: string
  /** Of a code with other letters around it, the whole: what has that has this too. */
  whole?: string
  /** Whether it is a hash or the beginning of one: of a commit, an image, a file; or a UUID. */
  isHash?: boolean
}

/** The identifiers in what a query wants (see `wantedBy`), each once: what stands around a question names other things. */
export function namesOf(wanted: string): NameOfQuery[] {
  const names = new Map<string, Identifier>()
  const add = (found: Identifier) => names.has(found.folded) || names.set(found.folded, found)
  const plain = withoutBrackets(wanted.replaceAll(spacedMoment, 'T'))
  let rest = plain.replaceAll(spacedPostcode, upper).replaceAll(address, (word) => {
    if (!isAddress(word)) return word
    const folded = fold(word.replace(behindAddress, '')).replace(/^[^:]+:\/\//u, '')
    add({ isAddress: true, folded: folded.replace(behindAddress, '') })
    return ' '
  })
  const isInCapitals = !/\p{Ll}/u.test(wanted)
  rest = rest.replaceAll(codes, (found) => {
    const run = found.replace(loneWord, '')
    if (!isOneCode(run, isInCapitals)) return found
    const whole = joined(fold(run))
    add({ isAddress: false, folded: whole })
    for (const part of isInCapitals ? [numberOf(run)] : [numberOf(run), ...withoutOneEnd(run)])
      if (isNumberedName(joined(fold(part))) && joined(fold(part)) !== whole)
        add({ isAddress: false, folded: fold(part), whole })
    return ' '
  })
  const found = [...(rest.match(grouped) ?? []), ...(rest.replaceAll(grouped, ' ').match(identifier) ?? [])]
  for (const word of found) {
    const folded = fold(word).replace(digestName, '')
    const isHash = !isNumber.test(word) && digest.test(folded)
    if (isHash || programName.test(word) || isNumberedName(folded)) add({ isAddress: false, folded, isHash })
  }
  return [...names.values()].slice(0, namesMax).map(nameOf)
}

const upper = (word: string): string => word.toUpperCase()

function nameOf({ isAddress, folded, whole, isHash = false }: Identifier): NameOfQuery {
  if (isAddress) return addressName(folded)
  const code = codeName(folded, isHash)
  if (whole === undefined) return code
  // Of texts with another code around the same number those with the whole code come first.
  const { isIn } = codeName(whole)
  return { name: code.name, isIn: (text) => code.isIn(text) || isIn(text) }
}

/** Words of one capital that stand before a code: "Was I AB 123 CD owner". */
const loneWord = /^[AI] /u
/** Letters alone before or behind the groups of a number: "ISBN 978 3 16", "1017 AB". */
const numberOf = (run: string): string => run.replaceAll(/^(?:\p{L}+ )+|(?: \p{L}+)+$/gu, '')
/** A code beside which a word stands in capitals: "LH 456 JFK". */
const withoutOneEnd = (run: string): string[] => [run.replace(/ \p{L}+$/u, ''), run.replace(/^\p{L}+ /u, '')]
/** Between two codes, and in none. */
const between = /^(?:AND|OR|TO|UND|ODER|BIS|ET|OU|VS)$/u

/** Whether groups are of one code: not where a group is one by itself, as of "TS2345 RX-2209". */
function isOneCode(run: string, isInCapitals: boolean): boolean {
  const groups = run.split(' ')
  if (!/\p{L}/u.test(run) || groups.length === 1 || run.length > codeMax) return false
  const ofLetters = groups.filter((group) => /^\p{L}+$/u.test(group))
  // Where all is in capitals words are too: "WHO HAS AB 123 CD".
  if (isInCapitals && ofLetters.length > 2) return false
  if (ofLetters.some((group) => group.length > 4 || between.test(group))) return false
  const isCode = (group: string) => /\p{L}/u.test(group) && digitsOf(group) >= digitsMin
  return isNumberedName(joined(fold(run))) && !groups.some(isCode)
}

/** The name of an address: exactly that one, not a part of a longer one, nor one that is longer; a line in it is no more. */
function addressName(name: string): NameOfQuery {
  const before = /^[~./\\]/u.test(name)
    ? `(?<!${wordCharacter}|[.~])`
    : String.raw`(?<!${wordCharacter}[.@\-]?)`
  const line = String.raw`(?::|#l?)\p{N}+(?!${wordCharacter})`
  const goesOn = /[/\\]/u.test(name) ? String.raw`(?!${line})[.@\-\/\\?#\&=%:]+` : String.raw`[.@\-]`
  const whole = new RegExp(`${before}${escaped(name)}(?!${wordCharacter}|${goesOn}${wordCharacter})`, 'v')
  return { name, isIn: (text) => whole.test(text) }
}

/**
 * The name of a code, in whatever groups, and of a program's variable.
 * @param isHash whether texts may have a beginning of it in its place, or it is the beginning of what they have
 */
function codeName(name: string, isHash = false): NameOfQuery {
  // "2.1.1" is no part of "2.1.1.5".
  const [before, after] = /^\p{N}/u.test(name)
    ? [String.raw`(?<!\p{N}\.)`, String.raw`(?!\.\p{N})`]
    : ['', '']
  const whole = new RegExp(
    `(?<!${wordCharacter})${before}(?:${spelled(name)}${isHash ? `${digestRest}|${beginningOf(name)}` : ''})(?!${wordCharacter})${after}`,
    'v',
  )
  const forms = new Set(isInGroups(name) ? [name, joined(name)] : [name])
  return { name: [...forms].join(' '), isIn: (folded) => whole.test(folded) }
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/**
 * A name as texts have it: letters and digits in whatever groups, "LH456" also as "LH 456" and "LH-456", as people write the
 * numbers of telephones, accounts, orders and cars.
 */
function spelled(name: string): string {
  if (moment.test(name)) return escaped(name).replace('t', '[t ]').replace(/z?$/u, 'z?')
  if (!isInGroups(name)) return escaped(name)
  const whole = joined(name)
  return /^\p{N}+$/u.test(whole) ? telephoneNumber(whole) : [...whole].join(String.raw`[ \-.\/:]?`)
}

/** The algorithm that a hash is of, as it is written before one: "sha256:9f86d081". */
const digestName = /^(?:sha-?\d{1,3}|md5)[:-](?=[\da-f]{7})/u
/** Shorter beginnings of a hash are of many; git writes no shorter ones. */
const digestMin = 7
/** Digits and letters of a hash, or a UUID: not digits alone, as numbers of calls and dates are, nor a word such as "defaced". */
const digest = new RegExp(
  String.raw`^(?=.*\d)(?=.*[a-f])(?:[\da-f]{${digestMin},128}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$`,
  'u',
)
/** Digits behind capitals, as "BC1234567" is of a bill: one that goes on is another. */
const isNumber = /^\p{Lu}+\p{N}+$/u
/** What a hash goes on with, behind its beginning. */
const digestRest = String.raw`(?:-?[\da-f])*`

/**
 * The pattern of a beginning of a hash that stands alone: "9e107d9", which nothing else of so many letters and digits is. That of a
 * UUID which goes on otherwise is none.
 */
function beginningOf(name: string): string {
  const whole = [...joined(name)]
  const rest = whole.slice(digestMin).reduceRight((pattern, character) => `(?:-?${character}${pattern})?`, '')
  return String.raw`(?=\d*[a-f])(?=[a-f]*\d)${whole.slice(0, digestMin).join('')}${rest}(?![\-:]?[\da-f]{2})`
}

/** Whether a name is letters and digits, or so many digits, that in other groups they are the same name. */
function isInGroups(name: string): boolean {
  if (name.length > codeMax || !/^[\p{L}\p{N} \-./:]+$/u.test(name)) return false
  if (digitsOf(name) >= longDigits || postcode.test(name)) return true
  // Points within numbers tell versions apart: "v2.14.1".
  return /\p{L}/u.test(name) && digitsOf(name) >= digitsMin && !/\p{N}\.\p{N}/u.test(name)
}
const longDigits = 7
/** No code that people write in groups is longer, and a pattern of thousands of groups is slow. */
const codeMax = 100

const joined = (name: string): string => name.replaceAll(/[ \-./:]/g, '')

const digitsOf = (word: string): number => word.match(/\p{N}/gu)?.length ?? 0
/** Fewer digits are in names of things that many texts are about, such as SARS-CoV-2. */
const digitsMin = 3

const isNumberedName = (word: string): boolean =>
  dotted.test(word) ||
  postcode.test(word) ||
  (digitsOf(word) >= digitsMin && !dateOrTime.test(word) && !quantity.test(word))
