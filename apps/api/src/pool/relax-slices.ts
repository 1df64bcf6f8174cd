import type { Iteration } from '@memory/engine/energy'

/** Numbers among which the iterations of one slice relax: four among 128 keys of 384 take 4 ms. */
export const sliceNumbersMax = 200_000

/** Cuts iterations into slices of a few milliseconds, of one iteration at least, in their order. */
export function* slicesOf<T extends Pick<Iteration, 'values'>>(iterations: readonly T[]): Generator<T[]> {
  let slice: T[] = []
  let numbers = 0
  for (const iteration of iterations) {
    if (slice.length > 0 && numbers + iteration.values.length > sliceNumbersMax) {
      yield slice
      slice = []
      numbers = 0
    }
    slice.push(iteration)
    numbers += iteration.values.length
  }
  if (slice.length > 0) yield slice
}
