import { fold } from '../lexical/tokenise.ts'
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
const behindAddress = /[/\\.,;:!?)\]}]+$/u

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
const dateOrTime = /^(?:\d{1,4}[-./:]\d{1,2}(?:[-./:]\d{1,4})?(?:t[\d:.]+z?)?|\d{1,2}[:h]\d{2}(?:am|pm)?)$/u
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

/** The identifiers in what a query wants (see `wantedBy`), each once: what stands around a question names other things. */
export function namesOf(wanted: string): NameOfQuery[] {
  const names = new Map<string, NameOfQuery>()
  const add = (found: NameOfQuery) => names.has(found.name) || names.set(found.name, found)
  let rest = wanted.replaceAll(address, (word) => {
    if (!isAddress(word)) return word
    add(addressName(fold(word.replace(behindAddress, ''))))
    return ' '
  })
  rest = rest.replaceAll(codes, (run) => {
    if (!isOneCode(run)) return run
    const whole = codeName(joined(fold(run)))
    add(whole)
    // Of texts with another code around the same number those with the whole code come first.
    const core = fold(run.replaceAll(lettersAround, ''))
    const part = isNumberedName(core) && joined(core) !== whole.name ? codeName(core) : undefined
    if (part) add({ name: part.name, isIn: (folded) => part.isIn(folded) || whole.isIn(folded) })
    return ' '
  })
  const found = [...(rest.match(grouped) ?? []), ...(rest.replaceAll(grouped, ' ').match(identifier) ?? [])]
  for (const word of found)
    if (programName.test(word) || isNumberedName(fold(word))) add(codeName(fold(word)))
  return [...names.values()].slice(0, namesMax)
}

/** Letters alone before or behind the groups of a number: "ISBN 978 3 16", "1017 AB". */
const lettersAround = /^(?:\p{L}+ )+|(?: \p{L}+)+$/gu
/** Between two codes, and in none. */
const between = /^(?:AND|OR|TO|UND|ODER|BIS|ET|OU|VS)$/u

/** Whether groups are of one code: not where a group is one by itself, as of "TS2345 RX-2209". */
function isOneCode(run: string): boolean {
  const groups = run.split(' ')
  if (!/\p{L}/u.test(run) || groups.length === 1 || !isNumberedName(joined(fold(run)))) return false
  return groups.every((group) => {
    const isOfLetters = /^\p{L}+$/u.test(group)
    if (isOfLetters) return group.length <= 4 && !between.test(group)
    return !(/\p{L}/u.test(group) && digitsOf(group) >= digitsMin)
  })
}

/** The name of an address: exactly that one, not a part of a longer one, nor one that is longer. */
function addressName(folded: string): NameOfQuery {
  const name = folded.replace(/^[^:]+:\/\//u, '').replace(behindAddress, '')
  const before = /^[~./\\]/u.test(name)
    ? `(?<!${wordCharacter}|[.~])`
    : String.raw`(?<!${wordCharacter}[.@\-]?)`
  const goesOn = /[/\\]/u.test(name) ? String.raw`[.@\-\/\\?#\&=%:]+` : String.raw`[.@\-]`
  const whole = new RegExp(`${before}${escaped(name)}(?!${wordCharacter}|${goesOn}${wordCharacter})`, 'v')
  return { name, isIn: (text) => whole.test(text) }
}

/** The name of a code, in whatever groups, and of a program's variable. */
function codeName(name: string): NameOfQuery {
  // "2.1.1" is no part of "2.1.1.5".
  const [before, after] = /^\p{N}/u.test(name)
    ? [String.raw`(?<!\p{N}\.)`, String.raw`(?!\.\p{N})`]
    : ['', '']
  const whole = new RegExp(
    `(?<!${wordCharacter})${before}${spelled(name)}${restOfHash(name)}(?!${wordCharacter})${after}`,
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
const spelled = (name: string): string =>
  isInGroups(name) ? [...joined(name)].join(String.raw`[ \-.\/:]?`) : escaped(name)

/** A hash is written by its beginning as well: "9e107d9", which nothing else of so many letters and digits is. */
function restOfHash(name: string): string {
  const isBeginning = /^(?=.*\d)(?=.*[a-f])[\da-f]{7,31}$/u.test(name)
  return isBeginning ? `(?:[\\da-f]{${32 - name.length},${64 - name.length}})?` : ''
}

/** Whether a name is letters and digits, or so many digits, that in other groups they are the same name. */
function isInGroups(name: string): boolean {
  if (name.length > codeMax || !/^[\p{L}\p{N} \-./:]+$/u.test(name)) return false
  if (digitsOf(name) >= longDigits) return true
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
  dotted.test(word) || (digitsOf(word) >= digitsMin && !dateOrTime.test(word) && !quantity.test(word))
