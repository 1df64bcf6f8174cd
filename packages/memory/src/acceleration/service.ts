import { kernels } from '@memory/engine/kernels/kernels'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Input, Output } from '@memory/shared/catalogue/operation'
import type { Requester } from '../compute.ts'
import { type BenchmarkPlan, type BenchmarkResult, runBenchmark, type Timing } from './benchmark.ts'
import type { AccelerationStatus, RunBenchmark } from './schema.ts'
import type { Measurement, Slice } from './stopwatch.ts'
import { type OperationName, operations } from './workloads.ts'

/** Runs slices of a benchmark, in turn with other work. */
export interface Measurer {
  /** @throws ApiError abandoned, unavailable */
  measure(requester: Requester, slice: Slice): Promise<Measurement>
}

/** What a request asks for takes no longer than this. */
const requested = { limitMs: 30_000, sliceMs: 8 }
/** At the start each operation has so long; its slices are what the first requests may wait for. */
const atStart = { iterations: 1_000, limitMs: 30, sliceMs: 2 }
/** For whom the start's measurement is done: it takes turns with organizations. */
const service: Requester = { organizationId: 'acceleration' }

/** What the native kernels gain over the fallback, measured on this machine by this process. */
export class Acceleration {
  readonly #measurer: Measurer
  readonly #now: () => number
  readonly #speedups = new Map<OperationName, number>()
  #starting: Promise<void> = Promise.resolve()
  #running = false

  /** @param now milliseconds that never go back */
  constructor(measurer: Measurer, now: () => number = () => performance.now()) {
    this.#measurer = measurer
    this.#now = now
  }

  status(): Output<typeof AccelerationStatus> {
    const isNative = kernels.name === 'native'
    return {
      rust_available: isNative,
      operations_accelerated: isNative ? [...operations] : [],
      speedup_factors: Object.fromEntries(this.#speedups),
      fallback_to_python: !isNative,
    }
  }

  /**
   * Measures every operation for a moment, one after the other.
   * @throws Error when the implementations of one disagree; ApiError unavailable when the process ends
   */
  measureAtStart(): Promise<void> {
    const measuring = this.#measureEach()
    this.#starting = measuring.catch(() => {})
    return measuring
  }

  /**
   * Times operations as a request asks. One that comes while another runs is refused; the start's measurement, of a
   * fraction of a second, is waited for.
   * @throws ApiError benchmark_running, abandoned, unavailable; Error when the implementations of one disagree
   */
  async benchmark(
    requester: Requester,
    { operations, n_iterations: iterations }: Input<typeof RunBenchmark>['body'],
  ): Promise<Output<typeof RunBenchmark>> {
    if (this.#running) throw new ApiError('benchmark_running')
    this.#running = true
    try {
      await this.#starting
      const started = this.#now()
      const plan = { ...requested, operations: [...new Set(operations)], iterations }
      const result = await this.#run(requester, plan)
      const results = Array.from(result.timings, ([operation, timing]) => [operation, shown(timing)] as const)
      return {
        results: Object.fromEntries(results),
        n_iterations: result.iterations,
        total_duration_ms: this.#now() - started,
      }
    } finally {
      this.#running = false
    }
  }

  async #measureEach(): Promise<void> {
    // There is nothing to compare without the addon.
    if (kernels.name !== 'native') return
    for (const operation of operations) await this.#run(service, { ...atStart, operations: [operation] })
  }

  async #run(requester: Requester, plan: BenchmarkPlan): Promise<BenchmarkResult> {
    const result = await runBenchmark(plan, (slice) => this.#measurer.measure(requester, slice), this.#now)
    for (const [operation, timing] of result.timings) {
      const speedup = speedupOf(timing)
      if (speedup !== null) this.#speedups.set(operation, speedup)
    }
    return result
  }
}

function shown(timing: Timing) {
  return { rust_ms: timing.nativeMs, python_ms: timing.javascriptMs, speedup: speedupOf(timing) }
}

/** Null without the addon, and where the clock saw no time pass. */
function speedupOf({ nativeMs, javascriptMs }: Timing): number | null {
  return nativeMs === null || nativeMs === 0 ? null : javascriptMs / nativeMs
}
