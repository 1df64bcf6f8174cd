import { setImmediate } from 'node:timers/promises'
import { parameters } from '@memory/engine/parameters'
import { predictNext } from '@memory/engine/successor'
import type { Clock } from '@memory/shared/platform/clock'
import type { Caches } from '../caches.ts'
import type { Payloads } from '../patterns/pattern-cache.ts'

/** Spaces, and patterns found in each, that wait to be followed: of more, those that come first. */
const spacesMax = 256
const foundMax = 32
/** What a larger space has learned is not read into memory for this: it is followed once an answer has brought it there. */
const loadedMax = 5_000
/** How long one flush goes on before what is left is dropped. */
const flushMs = 100

type Following = Pick<Caches, 'spaces' | 'learned'> & { payloads: Payloads; clock: Clock }

/**
 * Reads payloads into memory that will probably be asked for, after what was just found; off the requests' path. Hints
 * are gathered, and followed by `flush`. They may always be dropped: whoever then asks reads the payload itself.
 */
export class Prefetcher {
  readonly #context: Following
  readonly #isBusy: () => boolean
  readonly #budgetMs: number
  readonly #onHints: (taken: number, dropped: number) => void
  #hints = new Map<string, Set<number>>()

  /**
   * @param options.isBusy whether there is something better to do
   * @param options.budgetMs how long one flush may go on
   * @param options.onHints hears how many patterns were followed, and how many were not
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

  /** Takes patterns of a space after which others will probably be asked for. */
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

  /** Follows what was gathered, for a while; what is left then, or comes while there is something better to do, is dropped. */
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
      // In a space with many transitions that takes some ms: requests come in between.
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
    // Who was shown values will want to see values.
    const value = found.some((idx) => payloads.hasValue(index, idx))
    await payloads.warm(spaceId, index, likely, { value })
  }
}
