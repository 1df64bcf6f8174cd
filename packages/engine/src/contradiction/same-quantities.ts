import type { Quantity } from './quantities.ts'
import { mayBeSameUnit, type Unit } from './units.ts'

/** What is left of both when the same numbers are taken away. */
export function cancel(one: readonly Quantity[], other: readonly Quantity[]): [Quantity[], Quantity[]] {
  let [left, right] = [[...one], [...other]]
  for (const isSame of [isSaidAlike, isEqual, isConverted, isSameHour, isAbbreviated]) {
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

/** Numbers of one dimension that stand together, each of a smaller unit than the one before, as one: 1 h 30 min. */
export function joinParts(quantities: readonly Quantity[]): Quantity[] {
  const joined: Quantity[] = []
  for (const next of quantities) {
    const last = joined.at(-1)
    const [unit, part] = [last?.unit, next.unit]
    const isPart =
      unit?.factor !== undefined && part?.factor !== undefined && unit.dimension === part.dimension
    // Between them stands the unit of the first.
    if (last !== undefined && isPart && unit.factor > part.factor && next.from === last.to + 1) {
      const value = Number(last.value) + (Number(next.value) * part.factor) / unit.factor
      joined[joined.length - 1] = { ...last, value: String(value), to: next.to }
    } else joined.push(next)
  }
  return joined
}

/** A number counts before a word that may count nothing: three seconds, and the second. */
const isSaidAlike = (a: Quantity, b: Quantity): boolean =>
  a.isWeak === b.isWeak && a.spoken === b.spoken && isEqual(a, b)

function isEqual(a: Quantity, b: Quantity): boolean {
  return (
    a.value === b.value && (a.unit === undefined || b.unit === undefined || mayBeSameUnit(a.unit, b.unit))
  )
}

/** In Japanese and Korean a kilo is a kilometre as well. */
const mayBeLength = (one: Unit, other: Unit): boolean =>
  (one.name === 'kilo' && other.dimension === 'length') ||
  (other.name === 'kilo' && one.dimension === 'length')

function isConverted(a: Quantity, b: Quantity): boolean {
  if (a.unit?.factor === undefined || b.unit?.factor === undefined) return false
  if (a.unit.dimension !== b.unit.dimension && !mayBeLength(a.unit, b.unit)) return false
  const [one, other] = [Number(a.value) * a.unit.factor, Number(b.value) * b.unit.factor]
  return Math.abs(one - other) <= 1e-6 * Math.max(Math.abs(one), Math.abs(other))
}

/** Two million may be written 2-M; only another word for how many times is another number. */
function isAbbreviated(a: Quantity, b: Quantity): boolean {
  if ((a.unscaled === undefined) === (b.unscaled === undefined)) return false
  return isEqual({ ...a, value: a.unscaled ?? a.value }, { ...b, value: b.unscaled ?? b.value })
}

/** Where one says only "at 5", it may be the 17 hours of the other; French and its neighbours say hours there too. */
function isSameHour(a: Quantity, b: Quantity): boolean {
  if (!(a.isHalfDay || b.isHalfDay)) return false
  if ((a.unit !== undefined && b.unit !== undefined) || ((a.unit ?? b.unit)?.name ?? 'h') !== 'h')
    return false
  const [one, other] = [Number(a.value), Number(b.value)]
  return one !== other && one <= 24 && other <= 24 && one % 12 === other % 12
}
