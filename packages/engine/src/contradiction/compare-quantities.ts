import type { Difference } from './alignment.ts'
import type { Quantity } from './quantities.ts'
import type { Token } from './tokens.ts'

/** The quantities of a text beside its tokens. */
export interface Counted {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly quantities: readonly Quantity[]
  /** Words of the language that count for no thing. */
  readonly common?: ReadonlySet<string> | undefined
}

/** Whether two texts state different numbers, or the same number of different units. */
export function compareQuantities(
  one: Counted,
  other: Counted,
  places: readonly Difference[],
): 'number' | 'unit' | undefined {
  if (haveSameDigits(one, other)) return undefined
  const [left, right] = cancel(one.quantities, other.quantities)
  const [firm, otherFirm] = [left.filter(isFirm), right.filter(isFirm)]
  if (firm.length > 0 && otherFirm.length > 0) {
    const isSaidAlike = firm.some((a) => otherFirm.some((b) => a.spoken === b.spoken))
    return isSaidAlike ? 'unit' : 'number'
  }
  if (haveOtherIdentifiers(identifiers(one), identifiers(other))) return 'number'
  if (haveOtherIdentifiers(addresses(one), addresses(other))) return 'number'
  const isPartedOtherwise = ['.', '/', '-'].some((mark) =>
    haveOtherIdentifiers(partedNumbers(one, mark), partedNumbers(other, mark)),
  )
  if (isPartedOtherwise) return 'number'
  if (differInPlace(left, right, places)) return 'number'
  return left.length === 0 && right.length === 0 && countOtherThings(one, other) ? 'number' : undefined
}

const isFirm = ({ isWeak }: Quantity): boolean => !isWeak

/** What is left of both when the same numbers are taken away. */
function cancel(one: readonly Quantity[], other: readonly Quantity[]): [Quantity[], Quantity[]] {
  let [left, right] = [[...one], [...other]]
  for (const isSame of [isEqual, isConverted, isSameHour]) {
    const unmatched: Quantity[] = []
    for (const quantity of left) {
      const at = right.findIndex((each) => isSame(quantity, each))
      if (at < 0) unmatched.push(quantity)
      else right = right.toSpliced(at, 1)
    }
    left = unmatched
  }
  return [left, right]
}

function isEqual(a: Quantity, b: Quantity): boolean {
  return a.value === b.value && (a.unit === undefined || b.unit === undefined || a.unit.name === b.unit.name)
}

function isConverted(a: Quantity, b: Quantity): boolean {
  if (a.unit?.factor === undefined || b.unit?.factor === undefined) return false
  if (a.unit.dimension !== b.unit.dimension) return false
  const [one, other] = [Number(a.value) * a.unit.factor, Number(b.value) * b.unit.factor]
  return Math.abs(one - other) <= 1e-6 * Math.max(one, other)
}

/** Where one says only "at 5", it may be the 17 hours of the other. */
function isSameHour(a: Quantity, b: Quantity): boolean {
  if (!(a.isHalfDay || b.isHalfDay) || a.unit !== undefined || b.unit !== undefined) return false
  const [one, other] = [Number(a.value), Number(b.value)]
  return one !== other && one <= 24 && other <= 24 && one % 12 === other % 12
}

/** The same digits in other groups: of a telephone number, say. */
function haveSameDigits(one: Counted, other: Counted): boolean {
  const digits = ({ tokens }: Counted) =>
    tokens
      .filter(({ kind }) => kind === 'number')
      .map(({ raw }) => raw.replaceAll(/\D/g, ''))
      .join('')
  const [a, b] = [digits(one), digits(other)]
  return a === b && a.length >= 5 && one.tokens.length !== other.tokens.length
}

/** Whether each names a thing by letters and digits that the other does not have. */
function haveOtherIdentifiers(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((each) => !b.has(each)) && [...b].some((each) => !a.has(each))
}

/** Addresses of mail and of pages. */
function addresses({ text }: Counted): Set<string> {
  return new Set(
    text.toLowerCase().match(/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+[\p{L}\p{N}]|https?:\/\/[^\s]+/gu),
  )
}

/** Dates, versions and the like with one mark between their parts: written with another they may be the same. */
function partedNumbers({ tokens }: Counted, mark: string): Set<string> {
  const numbers = tokens.filter(
    ({ kind, raw }) => kind === 'number' && raw.split(mark).length > (mark === '/' ? 1 : 2),
  )
  return new Set(numbers.map(({ raw }) => raw.replaceAll(/(?<!\d)0+(?=\d)/g, '')))
}

function identifiers({ tokens }: Counted): Set<string> {
  const runs: string[] = []
  let isRun = false
  for (const { key, kind, isGlued } of tokens) {
    const isPart = kind === 'number' || /^[a-z]+$/.test(key)
    if (isPart && isGlued && isRun) runs[runs.length - 1] += key
    else if (isPart) runs.push(key)
    isRun = isPart
  }
  // A number with its unit or the end of an ordinal begins with digits and has letters after them alone.
  return new Set(runs.filter((run) => run.length >= 4 && /[a-z]\d/.test(run)))
}

/** Whether numbers stand for other numbers in the same place, also such as may count nothing elsewhere. */
function differInPlace(
  left: readonly Quantity[],
  right: readonly Quantity[],
  places: readonly Difference[],
): boolean {
  return places.some(({ one, other }) => {
    const [a] = left.filter(({ from, to }) => from >= one[0] && to <= one[1])
    const [b] = right.filter(({ from, to }) => from >= other[0] && to <= other[1])
    return a !== undefined && b !== undefined && a.value !== b.value
  })
}

/** Whether the same numbers count other things: three cats and two dogs, two cats and three dogs. */
function countOtherThings(one: Counted, other: Counted): boolean {
  const [a, b] = [countedThings(one), countedThings(other)]
  return [...a].some(([thing, value]) => b.has(thing) && b.get(thing) !== value)
}

/** Numbers by the word after them; a word of several numbers tells nothing. */
function countedThings({ tokens, quantities, common }: Counted): Map<string, string | undefined> {
  const things = new Map<string, string | undefined>()
  for (const { value, to, isWeak } of quantities) {
    const thing = tokens[to]
    if (isWeak || thing?.kind !== 'word' || thing.isSetOff || thing.isFirst || common?.has(thing.key))
      continue
    const earlier = things.get(thing.key)
    things.set(thing.key, earlier === undefined || earlier === value ? value : undefined)
  }
  for (const [thing, value] of things) if (value === undefined) things.delete(thing)
  return things
}
