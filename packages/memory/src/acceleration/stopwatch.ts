import { type Kernels, kernels } from '@memory/engine/kernels/kernels'
import { seededRandom } from '@memory/engine/random'
import { type OperationName, prepare, type Workload } from './workloads.ts'

/** A slice of a benchmark, short enough for a thread that others wait for. */
export interface Slice {
  operation: OperationName
  /** At least 1. */
  iterations: number
}

/** Time that the iterations of a slice took, in milliseconds. */
export interface Measurement {
  /** Null without the addon. */
  nativeMs: number | null
  javascriptMs: number
}

/** Each implementation is run for so long before it is timed: then it is compiled, and its data are in the cache. */
const warmUpMs = 5
/** Of the generator of the data, which are the same each time. */
const seed = 'acceleration'

/** Times both implementations of an operation on the same data, once they were seen to agree. */
export class Stopwatch {
  readonly #native: Kernels | null
  readonly #now: () => number
  // Slices of one operation follow each other, so the last one is worth its 2 MB.
  #prepared: { operation: OperationName; workload: Workload } | undefined

  /**
   * @param native the native kernels, null where there are none
   * @param now milliseconds that never go back
   */
  constructor(
    native: Kernels | null = kernels.name === 'native' ? kernels : null,
    now: () => number = () => performance.now(),
  ) {
    this.#native = native
    this.#now = now
  }

  /** @throws Error when the implementations disagree */
  measure({ operation, iterations }: Slice): Measurement {
    const { native, javascript } = this.#workload(operation)
    return {
      nativeMs: native === undefined ? null : this.#time(native, iterations),
      javascriptMs: this.#time(javascript, iterations),
    }
  }

  #workload(operation: OperationName): Workload {
    if (this.#prepared?.operation !== operation) {
      const workload = prepare(operation, seededRandom(seed), this.#native)
      const { native, javascript, agree } = workload
      if (native !== undefined && !agree(native(), javascript()))
        throw new Error(`The native and the JavaScript implementation of ${operation} disagree.`)
      for (const work of native === undefined ? [javascript] : [native, javascript]) this.#warmUp(work)
      this.#prepared = { operation, workload }
    }
    return this.#prepared.workload
  }

  #warmUp(work: () => unknown): void {
    const end = this.#now() + warmUpMs
    while (this.#now() < end) work()
  }

  #time(work: () => unknown, iterations: number): number {
    const started = this.#now()
    for (let i = 0; i < iterations; i++) work()
    return this.#now() - started
  }
}
