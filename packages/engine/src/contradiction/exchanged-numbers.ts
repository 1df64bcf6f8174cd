import type { Quantity } from './quantities.ts'
import { cancel } from './same-quantities.ts'
import type { Token } from './tokens.ts'
import { unitAround } from './units.ts'

/** The quantities of a text beside its tokens. */
export interface Counted {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly quantities: readonly Quantity[]
  readonly language?: string | undefined
  /** Words of the language that count for no thing. */
  readonly common?: ReadonlySet<string> | undefined
  /** Words of the language for "and" and "or". */
  readonly joins?: ReadonlySet<string> | undefined
}

/**
 * Whether two texts state the same numbers of other things: that Max is 5 and Mia 7, or Max 7 and Mia 5. The same
 * statements in another order are the same.
 */
export function haveExchangedNumbers(one: Counted, other: Counted): boolean {
  return differByPlace(one, other) || differByWord(wordsWithNumbers(one), wordsWithNumbers(other))
}

/** The numbers that stand in one place of a text: several only in a date or a time. */
interface Slot {
  readonly quantities: readonly Quantity[]
  readonly from: number
  readonly to: number
}

function slotsOf({ quantities }: Counted): Slot[] {
  const slots = new Map<number, Slot>()
  for (const quantity of quantities) {
    const { from, to } = quantity
    slots.set(from, { quantities: [...(slots.get(from)?.quantities ?? []), quantity], from, to })
  }
  return [...slots.values()]
}

/**
 * Whether all words are the same in the same order, and other numbers stand between them: unless the whole statements have
 * changed places, which may have the same words too, as "room 5 has 2 beds and room 7 has 3 beds".
 */
function differByPlace(one: Counted, other: Counted): boolean {
  const [slots, otherSlots] = [slotsOf(one), slotsOf(other)]
  if (slots.length < 2 || slots.length !== otherSlots.length) return false
  if (withoutNumbers(one, slots) !== withoutNumbers(other, otherSlots)) return false
  const isOther = listsOf(one, slots).some(([from, to]) => {
    const [here, there] = [slots, otherSlots].map((all) =>
      all.slice(from, to).flatMap(({ quantities }) => quantities),
    ) as [Quantity[], Quantity[]]
    return areOther(here, there) || areOther(here.filter(isMonth), there.filter(isMonth))
  })
  return isOther && !haveSameStatements(one, other)
}

/** Names of months are not firmly numbers, and no number of a day stands for one. */
const isMonth = ({ isWeak }: Quantity): boolean => isWeak

function areOther(here: readonly Quantity[], there: readonly Quantity[]): boolean {
  const [left, right] = cancel(here, there)
  return left.length > 0 && right.length > 0
}

/** Whether two texts are made of the same statements; what stands before or after all of them may belong to each. */
function haveSameStatements(one: Counted, other: Counted): boolean {
  const [written, otherWritten] = [one, other].map(statementsWritten) as [Statements, Statements]
  return written.some((statements, i) => statements === otherWritten[i])
}

type Statements = readonly string[]

/** The statements of a text in one order: as they are, without what begins the first one, and without what ends the last. */
function statementsWritten({ text, tokens, quantities, joins }: Counted): Statements {
  const values = new Map<number, string>()
  for (const { value, from, to } of quantities)
    for (let i = from; i < to; i++) values.set(i, `${i === from ? (values.get(i) ?? '') : ''} #${value}`)
  const parts: string[][] = []
  for (const [i, { key, end, raw }] of tokens.entries()) {
    const isJoin = joins?.has(key) ?? false
    const isParted = isJoin || /[,;.!?\n、，。]/u.test(text.slice(tokens[i - 1]?.end ?? 0, end - raw.length))
    if (isParted || parts.length === 0) parts.push([])
    if (!isJoin) parts.at(-1)?.push(values.get(i) ?? key)
  }
  const isNumber = (word: string) => word.startsWith(' #')
  const [first = [], last = []] = [parts[0], parts.at(-1)]
  const begun = [first.slice(Math.max(0, first.findIndex(isNumber))), ...parts.slice(1)]
  const ended = [...parts.slice(0, -1), last.slice(0, last.findLastIndex(isNumber) + 1)]
  return [parts, begun, ended].map((all) =>
    all
      .map((words) => words.join(' '))
      .toSorted()
      .join('|'),
  )
}

/** The words of a text, with one mark for whatever number. */
function withoutNumbers({ tokens }: Counted, slots: readonly Slot[]): string {
  const keys: string[] = []
  let at = 0
  for (const { from, to } of slots) {
    keys.push(...tokens.slice(at, from).map(({ key }) => key), '#')
    at = to
  }
  keys.push(...tokens.slice(at).map(({ key }) => key))
  return keys.join(' ')
}

/**
 * Slots that are one list, "3 and 5" or "at 3, at 5", in which the order tells nothing; a number alone is a list of one.
 * Behind a list of others the order tells which belongs to which: Max and Mia are 5 and 7.
 */
function listsOf(counted: Counted, slots: readonly Slot[]): (readonly [from: number, to: number])[] {
  const lists: [number, number][] = []
  for (const [i, slot] of slots.entries()) {
    const last = lists.at(-1)
    const first = slots[last?.[0] ?? 0] as Slot
    const isNext = last !== undefined && isListed(counted, first, slots[i - 1] as Slot, slot)
    if (isNext && !hasListBefore(counted, first)) last[1] = i + 1
    else lists.push([i, i + 1])
  }
  return lists
}

/** Whether nothing but an "and", a comma or a plus, and the words that stand before the first number too, is between two numbers. */
function isListed({ text, tokens, joins }: Counted, first: Slot, last: Slot, next: Slot): boolean {
  const isJoin = ({ key }: Token) => joins?.has(key) ?? false
  const between = tokens.slice(last.to, next.from)
  const start = (tokens[next.from] as Token).end - (tokens[next.from] as Token).raw.length
  const gap = text.slice((tokens[last.to - 1] as Token).end, start)
  // Nothing is between the numbers of a date.
  const isDate = between.length === 0 && first.to === next.from
  if (!between.some(isJoin) && !/[,;+、，]/u.test(gap)) return isDate
  const words = between.filter((token) => !isJoin(token) && !isUnit(token)).map(({ key }) => key)
  const before = tokens.slice(Math.max(0, first.from - words.length), first.from).map(({ key }) => key)
  return words.join(' ') === before.join(' ')
}

/** The tokens of lists of several numbers, from the first number to the last. */
export function tokensOfLists(counted: Counted): Set<number> {
  const slots = slotsOf(counted)
  return new Set(
    listsOf(counted, slots).flatMap(([first, end]) => {
      const [from, to] = [slots[first]?.from ?? 0, slots[end - 1]?.to ?? 0]
      return end - first > 1 ? Array.from({ length: to - from }, (_, i) => from + i) : []
    }),
  )
}

const isUnit = ({ kind, lower }: Token): boolean => kind === 'sign' || unitAround('', lower) !== undefined

const hasListBefore = ({ tokens, joins }: Counted, { from }: Slot): boolean =>
  tokens.slice(0, from).some(({ key }) => joins?.has(key) ?? false)

/** Words that begin another statement, besides "and" and "or". */
const turns = new Set(
  'but while whereas then aber wahrend dann mais tandis puis ensuite pero mientras luego ma mentre poi mas enquanto maar terwijl dan но а'.split(
    ' ',
  ),
)

/** The one number of each statement of a text, by the words that this statement alone has. */
function wordsWithNumbers(counted: Counted): Map<string, string> {
  const values = new Map<string, string | undefined>()
  for (const { words, numbers } of statementsOf(counted)) {
    const value = numbers.size === 1 ? [...numbers][0] : undefined
    for (const word of words)
      values.set(word, values.has(word) && values.get(word) !== value ? undefined : value)
  }
  return new Map(
    [...values].flatMap(([word, value]) => (value === undefined ? [] : [[word, value] as const])),
  )
}

interface Counting {
  readonly words: Set<string>
  readonly numbers: Set<string>
}

/**
 * A text parted at its commas, full stops and words such as "and". What comes before the first number belongs to it, and
 * what comes after the last to that; a part without a number between two others may belong to either, and is left out.
 */
function statementsOf(counting: Counted): Counting[] {
  const parts = partsOf(counting)
  const hasNumber = ({ numbers }: Counting) => numbers.size > 0
  const [first, last] = [parts.findIndex(hasNumber), parts.findLastIndex(hasNumber)]
  if (first < 0) return []
  const merge = (several: readonly Counting[]): Counting => ({
    words: new Set(several.flatMap(({ words }) => [...words])),
    numbers: new Set(several.flatMap(({ numbers }) => [...numbers])),
  })
  if (first === last) return [merge(parts)]
  const between = parts.slice(first + 1, last).filter(hasNumber)
  return [merge(parts.slice(0, first + 1)), ...between, merge(parts.slice(last))]
}

function partsOf(counting: Counted): Counting[] {
  const { text, tokens, quantities, common, joins } = counting
  const listed = tokensOfLists(counting)
  const firm = quantities.filter(({ isWeak }) => !isWeak)
  const counted = new Set(
    firm.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
  )
  const parts: Counting[] = []
  for (const [i, { key, kind, end, raw }] of tokens.entries()) {
    const gap = text.slice(tokens[i - 1]?.end ?? 0, end - raw.length)
    const isTurn = (joins?.has(key) ?? false) || turns.has(key)
    const isParted = (isTurn || /[,;.!?\n、，。]/u.test(gap)) && !(listed.has(i - 1) && listed.has(i))
    if (isParted || parts.length === 0) parts.push({ words: new Set(), numbers: new Set() })
    const { words, numbers } = parts.at(-1) as Counting
    for (const { value, from } of firm) if (from === i) numbers.add(value)
    const isOfThings = kind === 'word' || kind === 'dense'
    if (isOfThings && !isTurn && !counted.has(i) && !(common?.has(key) ?? false)) words.add(key)
  }
  return parts
}

/** The least share of words with a number that two texts have in common, when they say the same things of other numbers. */
const sharedWords = 0.6

/** Whether two words have each other's number. */
function differByWord(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  const shared = [...one.keys()].filter((word) => other.has(word))
  if (shared.length < sharedWords * Math.max(one.size, other.size)) return false
  const changed = shared.map((word) => [one.get(word), other.get(word)] as const).filter(([a, b]) => a !== b)
  return changed.some(([value, there]) => changed.some(([a, b]) => a === there && b === value))
}
