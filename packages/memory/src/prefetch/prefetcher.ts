import { setImmediate } from 'node:timers/promises'
import { parameters } from '@memory/engine/parameters'
import { predictNext } from '@memory/engine/successor'
import type { Clock } from '@memory/shared/platform/clock'
import type { Caches } from '../caches.ts'
import type { Payloads } from '../patterns/pattern-cache.ts'

/** How many spaces may have hints waiting, and how many hints each; further ones are dropped. */
const spacesMax = 256
const foundMax = 32
/**
 * Hints in a larger space are followed only if what it has learned is in memory: reading it just for this would cost too much.
 */
const loadedMax = 5_000
/** How long one flush may take; hints left after that are dropped. */
const flushMs = 100

type Following = Pick<Caches, 'spaces' | 'learned'> & { payloads: Payloads; clock: Clock }

/**
 * Reads payloads into memory that will probably be asked for next. Requests leave hints (patterns that were just found), and
 * `flush` follows them: it predicts what comes after these patterns, and reads that. A hint may always be dropped, since whoever
 * needs a payload reads it anyway.
 */
export class Prefetcher {
  readonly #context: Following
  readonly #isBusy: () => boolean
  readonly #budgetMs: number
  readonly #onHints: (taken: number, dropped: number) => void
  #hints = new Map<string, Set<number>>()

  /**
   * @param options.isBusy whether requests wait for the processor, so that hints should be dropped
   * @param options.budgetMs how long one flush may take
   * @param options.onHints called with how many hints were followed, and how many dropped
   */
  constructor(
    context: Following,
    options: {
      isBusy?: () => boolean
      budgetMs?: number
      onHints?: (taken: number, dropped: number) => void
    } = {},
  ) {
    this.#context = context
    this.#isBusy = options.isBusy ?? (() => false)
    this.#budgetMs = options.budgetMs ?? flushMs
    this.#onHints = options.onHints ?? (() => {})
  }

  /** Leaves hints: patterns that were just found. */
  warmLater(spaceId: string, found: readonly number[]): void {
    let hints = this.#hints.get(spaceId)
    if (hints === undefined) {
      if (found.length === 0) return
      if (this.#hints.size >= spacesMax) {
        this.#onHints(0, found.length)
        return
      }
      hints = new Set()
      this.#hints.set(spaceId, hints)
    }
    for (const idx of found) {
      if (hints.size < foundMax) hints.add(idx)
      else if (!hints.has(idx)) this.#onHints(0, 1)
    }
  }

  /** Follows the hints, within `budgetMs`; drops those left then, or reached while the process is busy. */
  async flush(): Promise<void> {
    const hints = this.#hints
    if (hints.size === 0) return
    this.#hints = new Map()
    const started = performance.now()
    for (const [spaceId, found] of hints) {
      const isTaken = performance.now() - started < this.#budgetMs && !this.#isBusy()
      this.#onHints(isTaken ? found.size : 0, isTaken ? 0 : found.size)
      if (!isTaken) continue
      await this.#follow(spaceId, [...found])
      // Following takes some ms in a space with many transitions, so let requests run in between.
      await setImmediate()
    }
  }

  async #follow(spaceId: string, hinted: readonly number[]): Promise<void> {
    const { spaces, learned, payloads, clock } = this.#context
    const size = spaces.peek(spaceId)?.size ?? 0
    const held = learned.peek(spaceId)
    if (size === 0 || (held === undefined && size > loadedMax)) return
    const { transitions } = held ?? (await learned.get(spaceId, 0))
    // The space may have been dropped meanwhile.
    const index = spaces.peek(spaceId)
    if (index === undefined) return
    const found = hinted.filter((idx) => index.isStored(idx))
    const { predicted, predictedMax, strengthMin } = parameters.prefetch
    const start = new Map(found.map((idx) => [idx, 1 / found.length]))
    const likely = predictNext(start, transitions, index, clock.now().getTime())
      .slice(0, Math.min(predicted * found.length, predictedMax))
      .filter(({ strength }) => strength * found.length >= strengthMin)
      .map(({ idx }) => idx)
    // If values were shown with the patterns found, they will probably be asked for again.
    const value = found.some((idx) => payloads.hasValue(index, idx))
    await payloads.warm(spaceId, index, likely, { value })
  }
}
