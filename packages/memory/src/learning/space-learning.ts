import type { Association } from '@memory/engine/learning/association'
import { initialState, type SpaceState } from '@memory/engine/learning/state'
import { parameters } from '@memory/engine/parameters'
import type { PatternUse } from '@memory/engine/salience'
import type { Transition, Transitions } from '@memory/engine/successor'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { LearnedLinks, LearnedSince } from './learning-store.ts'

/**
 * Multiples of the golden ratio, modulo 1, are spread evenly over [0, 1) without a period (Weyl sequence). Sampling by them can't
 * coincide with a period in the data, as a fixed step could.
 */
export const goldenRatio = (Math.sqrt(5) - 1) / 2

/** What a space has learned takes this much of the heap, in bytes, as measured with Node 24. */
const bytesOf = { space: 8_000, pattern: 200, link: 100, use: 120, epoch: 80 }

/** Patterns whose links are looked through, when some are removed, before it is asked whether others should have a turn. */
const lookedThroughAtOnce = 500

type Links<Link> = Map<number, Map<number, Link>>

/** What a space has learned, as of one engine version. */
export class SpaceLearning {
  /** The engine version. */
  version = -1
  state: SpaceState
  readonly #createdAt: number
  /** See `epochs`. */
  readonly #stored: [number, number][] = []
  readonly #uses = new Map<number, Omit<PatternUse, 'storedAt'>>()
  readonly #associations: Links<Association> = new Map()
  readonly #transitions: Links<Transition> = new Map()
  /** Entries of the maps of `#associations`, in which each stands twice, and of `#transitions`. */
  #links = 0

  /** @param createdAt of the space, in ms since 1970 */
  constructor(createdAt: number) {
    this.#createdAt = createdAt
    this.state = initialState(createdAt)
  }

  /** Applies what has been learned since this version. */
  apply({ engineVersion, learned }: LearnedSince): void {
    if (engineVersion < this.version) return
    this.version = engineVersion
    if (learned.state !== null) this.state = learned.state
    for (const epoch of learned.stored) if (epoch[0] > this.storedUpTo) this.#stored.push(epoch)
    for (const [idx] of learned.associations) this.#isolate(idx)
    for (const [source] of learned.transitions) this.#dropTransitionsFrom(source)
    this.add(learned)
  }

  /** Adds uses and links, replacing those of the same patterns. */
  add({ uses, associations, transitions }: LearnedLinks): void {
    for (const [idx, count, lastAt, strength] of uses) {
      this.#uses.set(idx, { count, lastAt: lastAt ?? 0, strength })
    }
    for (const [idx, other, weight, at] of associations) {
      this.#put(this.#associations, idx, other, { weight, at })
      this.#put(this.#associations, other, idx, { weight, at })
    }
    for (const [source, target, count, at] of transitions) {
      this.#put(this.#transitions, source, target, { count, at })
    }
  }

  /** Memory that it takes, about. */
  get bytes(): number {
    const patterns = this.#associations.size + this.#transitions.size
    return (
      bytesOf.space +
      bytesOf.pattern * patterns +
      bytesOf.link * this.#links +
      bytesOf.use * this.#uses.size +
      bytesOf.epoch * this.#stored.length
    )
  }

  /** First idx of the last epoch; -1 without one. */
  get storedUpTo(): number {
    return this.#stored.at(-1)?.[0] ?? -1
  }

  /** The patterns that have been in answers, or whose strength has changed; a sample of one in `step`. In no order. */
  *uses(step = 1): Generator<{ idx: number } & PatternUse> {
    let n = 0
    for (const [idx, use] of this.#uses) {
      // True for one in `step`, evenly spread but without a period (see `goldenRatio`).
      if ((n++ * goldenRatio) % 1 < 1 / step) yield { idx, ...use, storedAt: this.storedAt(idx) }
    }
  }

  /** Whether a pattern is one of the `uses`. */
  hasUse(idx: number): boolean {
    return this.#uses.has(idx)
  }

  /** How many `uses` there are. */
  get usedCount(): number {
    return this.#uses.size
  }

  /** How a pattern was used; defaults for one that never was. */
  useOf(idx: number): PatternUse {
    const { count = 0, lastAt = 0, strength = parameters.learning.strengthStart } = this.#uses.get(idx) ?? {}
    return { storedAt: this.storedAt(idx), count, lastAt, strength }
  }

  /** The `count` patterns that were in answers most recently, the latest first. */
  latestUsed(count: number): number[] {
    const latest: { idx: number; lastAt: number }[] = []
    for (const [idx, { lastAt }] of this.#uses) {
      const least = latest.length < count ? 0 : (latest.at(-1)?.lastAt ?? 0)
      if (lastAt <= least) continue
      const at = latest.findIndex((other) => other.lastAt < lastAt)
      latest.splice(at === -1 ? latest.length : at, 0, { idx, lastAt })
      if (latest.length > count) latest.pop()
    }
    return latest.map(({ idx }) => idx)
  }

  /** When a pattern was stored, to the minute, in ms since 1970. */
  storedAt(idx: number): number {
    return this.#stored[this.epochOf(idx)]?.[1] ?? this.#createdAt
  }

  /** [first idx, ms since 1970], ascending: patterns from that idx on, up to the next epoch's, were stored at that time. */
  get epochs(): readonly (readonly [number, number])[] {
    return this.#stored
  }

  /** Position in `epochs` of the one that a pattern was stored in. */
  epochOf(idx: number): number {
    let low = 0
    let high = this.#stored.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#stored[middle]?.[0] ?? 0) <= idx) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The associates of a pattern, by idx. Weights fade since the time that they are given with, see `faded`. */
  associatesOf(idx: number): ReadonlyMap<number, Association> {
    return this.#associations.get(idx) ?? none
  }

  /** By the idx of the pattern found first: what was found after it, and how often. */
  get transitions(): Transitions {
    return this.#transitions
  }

  /** Drops what is known of removed patterns. Others have turns meanwhile, and see some of it. */
  async forget(gone: ReadonlySet<number>): Promise<void> {
    let n = 0
    for (const idx of gone) {
      if (++n % lookedThroughAtOnce === 0) await yieldToEventLoop()
      this.#uses.delete(idx)
      this.#isolate(idx)
      this.#dropTransitionsFrom(idx)
    }
    for (const targets of this.#transitions.values()) {
      if (++n % lookedThroughAtOnce === 0) await yieldToEventLoop()
      this.#links -= dropFrom(targets, gone)
    }
  }

  /** Drops all associations of a pattern, on both sides. */
  #isolate(idx: number): void {
    const others = this.#associations.get(idx)
    if (others === undefined) return
    for (const other of others.keys()) if (this.#associations.get(other)?.delete(idx)) this.#links--
    this.#links -= others.size
    this.#associations.delete(idx)
  }

  #dropTransitionsFrom(source: number): void {
    this.#links -= this.#transitions.get(source)?.size ?? 0
    this.#transitions.delete(source)
  }

  #put<Link>(links: Links<Link>, from: number, to: number, link: Link): void {
    let targets = links.get(from)
    if (targets === undefined) {
      targets = new Map()
      links.set(from, targets)
    }
    this.#links -= targets.size
    targets.set(to, link)
    this.#links += targets.size
  }
}

const none: ReadonlyMap<number, Association> = new Map()

/** Drops the targets that are gone, by whichever are fewer: a pattern has few, while a whole space may be gone. @returns how many */
function dropFrom(targets: Map<number, unknown>, gone: ReadonlySet<number>): number {
  const before = targets.size
  for (const idx of targets.size < gone.size ? targets.keys() : gone) if (gone.has(idx)) targets.delete(idx)
  return before - targets.size
}
