import type { Measurement, Slice } from './stopwatch.ts'
import type { OperationName } from './workloads.ts'

export interface BenchmarkPlan {
  operations: readonly OperationName[]
  /** Iterations of each operation, by each implementation. */
  iterations: number
  /** No round begins that would end later; the first one always runs. */
  limitMs: number
  /** About how long a slice may hold its thread. */
  sliceMs: number
}

/** Time of one iteration in milliseconds: of the slices' means, the median. */
export interface Timing {
  nativeMs: number | null
  javascriptMs: number
}

export interface BenchmarkResult {
  timings: Map<OperationName, Timing>
  /** What each operation ran; fewer than planned when the time was over. */
  iterations: number
}

/** Rounds are as long as this many slices, so that a limit cuts off little and a change of load meets all alike. */
const slicesPerRound = 5

/**
 * Times operations in rounds, in which every operation runs the same number of iterations, in slices of a few
 * milliseconds: `measure` may run each of them elsewhere, and others in between.
 * @param measure runs one slice
 * @param now milliseconds that never go back
 * @throws whatever `measure` throws
 */
export async function runBenchmark(
  { operations, iterations, limitMs, sliceMs }: BenchmarkPlan,
  measure: (slice: Slice) => Promise<Measurement>,
  now: () => number,
): Promise<BenchmarkResult> {
  const end = now() + limitMs
  const costs = new Map<OperationName, number>()
  // What an iteration costs is known after one that doesn't count.
  for (const operation of operations)
    costs.set(operation, costOf(await measure({ operation, iterations: 1 })))

  const timings = new Map<OperationName, Timing[]>(operations.map((operation) => [operation, []]))
  let done = 0
  while (done < iterations) {
    const cost = operations.reduce((sum, operation) => sum + (costs.get(operation) as number), 0)
    const size = inRange((slicesPerRound * sliceMs * operations.length) / cost, iterations - done)
    if (done > 0 && now() + size * cost > end) break
    const round = new Map<OperationName, Timing[]>()
    for (const operation of operations) {
      const measured: Timing[] = []
      for (let left = size; left > 0; ) {
        const slice = inRange(sliceMs / (costs.get(operation) as number), left)
        const timing = perIteration(await measure({ operation, iterations: slice }), slice)
        costs.set(operation, costOf(timing))
        measured.push(timing)
        left -= slice
      }
      round.set(operation, measured)
    }
    // A round that waited for others past the end is left out whole: all operations ran as often.
    if (done > 0 && now() > end) break
    for (const [operation, measured] of round) timings.get(operation)?.push(...measured)
    done += size
  }
  return {
    timings: new Map(Array.from(timings, ([operation, measured]) => [operation, medianOf(measured)])),
    iterations: done,
  }
}

/** Least cost of an iteration that is reckoned with, in milliseconds: a coarse clock may read 0. */
const costMin = 1e-5

function costOf({ nativeMs, javascriptMs }: Timing): number {
  return Math.max(costMin, (nativeMs ?? 0) + javascriptMs)
}

function perIteration({ nativeMs, javascriptMs }: Measurement, iterations: number): Timing {
  return {
    nativeMs: nativeMs === null ? null : nativeMs / iterations,
    javascriptMs: javascriptMs / iterations,
  }
}

/** Of each side by itself. A slice that the system interrupted says nothing about the kernels. */
function medianOf(timings: readonly Timing[]): Timing {
  const native = timings.flatMap(({ nativeMs }) => (nativeMs === null ? [] : [nativeMs]))
  return {
    nativeMs: native.length === 0 ? null : median(native),
    javascriptMs: median(timings.map(({ javascriptMs }) => javascriptMs)),
  }
}

/** @param values at least one */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** A whole number of at least 1 and at most `max`. */
function inRange(value: number, max: number): number {
  return Math.min(max, Math.max(1, Math.floor(value)))
}
