import { javascriptKernels } from '@memory/engine/kernels/javascript'
import type { Kernels } from '@memory/engine/kernels/kernels'
import { runBenchmark } from '@memory/memory/acceleration/benchmark'
import { type Slice, Stopwatch } from '@memory/memory/acceleration/stopwatch'
import { type OperationName, operations } from '@memory/memory/acceleration/workloads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const [first, ...others] = operations

/** Runs a plan on operations that cost so many milliseconds an iteration, without waiting for them. */
async function simulate(
  plan: { iterations: number; limitMs: number; sliceMs: number },
  costs: { nativeMs: number | null; javascriptMs: number }[],
) {
  let time = 0
  const slices: Slice[] = []
  const measured = operations.slice(0, costs.length)
  const result = await runBenchmark(
    { ...plan, operations: measured },
    async (slice) => {
      slices.push(slice)
      const { nativeMs, javascriptMs } = costs[measured.indexOf(slice.operation)] as (typeof costs)[number]
      time += slice.iterations * ((nativeMs ?? 0) + javascriptMs)
      return {
        nativeMs: nativeMs === null ? null : nativeMs * slice.iterations,
        javascriptMs: javascriptMs * slice.iterations,
      }
    },
    () => time,
  )
  return { result, slices, time, measured }
}

const iterationsOf = (slices: readonly Slice[], operation: OperationName) =>
  slices.filter((slice) => slice.operation === operation).reduce((sum, { iterations }) => sum + iterations, 0)

const costMs = fc.double({ min: 1e-4, max: 4, noNaN: true })
const costs = fc.array(fc.record({ nativeMs: costMs, javascriptMs: costMs }), {
  minLength: 1,
  maxLength: operations.length,
})
const count = fc.integer({ min: 1, max: 10_000 })

describe('a benchmark', () => {
  it('runs all iterations of every operation, one more to learn its cost, in slices of the length asked for', async () => {
    await fc.assert(
      fc.asyncProperty(count, costs, async (iterations, costs) => {
        const plan = { iterations, limitMs: Number.POSITIVE_INFINITY, sliceMs: 20 }
        const { result, slices, measured } = await simulate(plan, costs)
        expect(result.iterations).toBe(iterations)
        for (const [at, operation] of measured.entries()) {
          const { nativeMs, javascriptMs } = costs[at] as (typeof costs)[number]
          expect(iterationsOf(slices, operation)).toBe(iterations + 1)
          const longest = slices
            .filter((slice) => slice.operation === operation)
            .reduce((most, slice) => Math.max(most, slice.iterations), 0)
          expect(longest * (nativeMs + javascriptMs)).toBeLessThanOrEqual(20.001)
          expect(result.timings.get(operation)?.nativeMs).toBeCloseTo(nativeMs, 9)
          expect(result.timings.get(operation)?.javascriptMs).toBeCloseTo(javascriptMs, 9)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('ends in time with as many iterations of each operation as it says', async () => {
    await fc.assert(
      fc.asyncProperty(count, costs, async (iterations, costs) => {
        const plan = { iterations, limitMs: 1_000, sliceMs: 5 }
        const { result, slices, time, measured } = await simulate(plan, costs)
        expect(time).toBeLessThanOrEqual(1_000)
        for (const operation of measured) expect(iterationsOf(slices, operation)).toBe(result.iterations + 1)
      }),
      { numRuns: 50 },
    )
  })

  it('uses the time it has before it runs fewer', async () => {
    const { result, time } = await simulate({ iterations: 10_000, limitMs: 1_000, sliceMs: 5 }, [
      { nativeMs: 1, javascriptMs: 9 },
    ])
    expect(result.iterations).toBeGreaterThan(90)
    expect(time).toBeGreaterThan(900)
  })

  it('runs one round however late it is, and leaves out a later one that others delayed', async () => {
    let time = 0
    const late = async (delay: (slices: number) => number) => {
      let slices = 0
      time = 0
      return runBenchmark(
        { operations: [first], iterations: 1_000, limitMs: 1_000, sliceMs: 10 },
        async ({ iterations }) => {
          time += delay(++slices) + iterations
          return { nativeMs: 0, javascriptMs: iterations }
        },
        () => time,
      )
    }
    expect((await late(() => 5_000)).iterations).toBe(50)
    expect((await late((slices) => (slices === 7 ? 5_000 : 0))).iterations).toBe(50)
    expect((await late((slices) => (slices === 12 ? 5_000 : 0))).iterations).toBe(100)
  })

  it('takes the median, so that one slice that was interrupted does not count', async () => {
    let slices = 0
    const { timings } = await runBenchmark(
      { operations: [first], iterations: 50, limitMs: 1_000, sliceMs: 10 },
      async ({ iterations }) => ({
        nativeMs: ++slices === 3 ? 5_000 : 0,
        javascriptMs: iterations,
      }),
      () => 0,
    )
    expect(timings.get(first)).toEqual({ nativeMs: 0, javascriptMs: 1 })
  })

  it('goes on where the clock sees no time pass', async () => {
    const { result } = await simulate({ iterations: 10_000, limitMs: 1_000, sliceMs: 5 }, [
      { nativeMs: 0, javascriptMs: 0 },
    ])
    expect(result.iterations).toBe(10_000)
  })

  it('has no native time without the addon', async () => {
    const { result } = await simulate({ iterations: 10, limitMs: 1_000, sliceMs: 5 }, [
      { nativeMs: null, javascriptMs: 1 },
    ])
    expect(result.timings.get(first)).toEqual({ nativeMs: null, javascriptMs: 1 })
  })

  it('fails with the slice that fails', async () => {
    const failing = runBenchmark(
      { operations: others, iterations: 1, limitMs: 1_000, sliceMs: 5 },
      () => Promise.reject(new Error('no thread')),
      () => 0,
    )
    await expect(failing).rejects.toThrow('no thread')
  })
})

describe('a stopwatch', () => {
  /** A clock that goes on by a millisecond when it is read. */
  const ticking = () => {
    let time = 0
    return () => ++time
  }

  /** Native kernels of which only `cosine` is there; it counts its calls. */
  const counting = (cosine: Kernels['cosine']) => {
    const counted = { calls: 0 }
    const native = {
      cosine: (a: Float32Array, b: Float32Array) => {
        counted.calls++
        return cosine(a, b)
      },
    } as Kernels
    return { counted, native }
  }

  it('times so many iterations of both sides, checked and warm, and goes on with the same data', () => {
    const { counted, native } = counting(javascriptKernels.cosine)
    const stopwatch = new Stopwatch(native, ticking())
    expect(stopwatch.measure({ operation: 'cosine', iterations: 7 })).toEqual({
      nativeMs: 1,
      javascriptMs: 1,
    })
    expect(counted.calls).toBeGreaterThan(1 + 7)
    counted.calls = 0
    stopwatch.measure({ operation: 'cosine', iterations: 3 })
    expect(counted.calls).toBe(3)
  })

  it('times nothing where the two disagree', () => {
    const { counted, native } = counting((a, b) => javascriptKernels.cosine(a, b) + 0.001)
    expect(() => new Stopwatch(native, ticking()).measure({ operation: 'cosine', iterations: 9 })).toThrow(
      'The native and the JavaScript implementation of cosine disagree.',
    )
    expect(counted.calls).toBe(1)
  })

  it('times JavaScript alone without the addon', () => {
    expect(new Stopwatch(null, ticking()).measure({ operation: 'top_k', iterations: 1 })).toEqual({
      nativeMs: null,
      javascriptMs: 1,
    })
  })
})
