import { initialState, type SpaceState } from '../../engine/learning/state.ts'
import { parameters } from '../../engine/parameters.ts'
import type { Directions } from '../../engine/recall/query-centre.ts'
import type { PatternUse } from '../../engine/salience.ts'
import type { Transition, Transitions } from '../../engine/successor.ts'
import type { Learned, LearnedSince } from './learning-store.ts'

/** How strongly two patterns are associated, as it was at a time. */
export interface Association {
  weight: number
  /** Ms since 1970. */
  at: number
}

type Links<Link> = Map<number, Map<number, Link>>

/** What a space has learned, in memory: as of one engine version. */
export class SpaceLearning {
  engineVersion = -1
  state: SpaceState
  readonly #createdAt: number
  #stored: [number, number][] = []
  readonly #uses = new Map<number, Omit<PatternUse, 'storedAt'>>()
  readonly #associations: Links<Association> = new Map()
  readonly #transitions: Links<Transition> = new Map()

  /** @param createdAt of the space, in ms since 1970 */
  constructor(createdAt: number) {
    this.#createdAt = createdAt
    this.state = initialState(createdAt)
  }

  /** Takes over what has been learned since this was read. */
  apply({ engineVersion, learned }: LearnedSince): void {
    if (engineVersion < this.engineVersion) return
    this.engineVersion = engineVersion
    if (learned.state !== null) this.state = learned.state
    this.#stored = learned.stored
    for (const [idx, count, lastAt, strength] of learned.uses)
      this.#uses.set(idx, { count, lastAt: lastAt ?? 0, strength })
    this.#replaceAssociations(learned.associations)
    for (const [source, target, count, at] of learned.transitions) {
      put(this.#transitions, source, target, { count, at })
    }
  }

  /** Patterns that have been in answers or whose strength has changed, with how they were used; in no order. */
  *uses(): Generator<{ idx: number } & PatternUse> {
    for (const [idx, use] of this.#uses) yield { idx, ...use, storedAt: this.storedAt(idx) }
  }

  /** Whether any pattern has been in an answer. */
  get isUsed(): boolean {
    for (const { count } of this.#uses.values()) if (count > 0) return true
    return false
  }

  /** How a pattern was used. */
  useOf(idx: number): PatternUse {
    const { count = 0, lastAt = 0, strength = parameters.learning.strengthStart } = this.#uses.get(idx) ?? {}
    return { storedAt: this.storedAt(idx), count, lastAt, strength }
  }

  /** When a pattern was stored, to the minute, in ms since 1970. */
  storedAt(idx: number): number {
    return this.#stored[this.epochOf(idx)]?.[1] ?? this.#createdAt
  }

  /** What the space is searched with, as a sum of directions. */
  get queryDirections(): Directions {
    const { mean, count } = this.state.asked
    return { sum: mean.map((value) => value * count), count }
  }

  /** Times at which patterns were stored, with the first idx of each, ascending. */
  get epochs(): readonly (readonly [number, number])[] {
    return this.#stored
  }

  /** Which of the epochs a pattern was stored in. */
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

  /** Associates of a pattern, with their weights as they were at a time. */
  associatesOf(idx: number): ReadonlyMap<number, Association> {
    return this.#associations.get(idx) ?? none
  }

  /** What followed what. */
  get transitions(): Transitions {
    return this.#transitions
  }

  /** Drops what is known of patterns that are gone. */
  forget(gone: ReadonlySet<number>): void {
    for (const idx of gone) {
      this.#uses.delete(idx)
      this.#isolate(idx)
      this.#transitions.delete(idx)
    }
    for (const targets of this.#transitions.values()) for (const idx of gone) targets.delete(idx)
  }

  /** Of every pattern that is named, these are all its associations. */
  #replaceAssociations(rows: Learned['associations']): void {
    for (const idx of new Set(rows.map(([one]) => one))) this.#isolate(idx)
    for (const [idx, other, weight, at] of rows) {
      put(this.#associations, idx, other, { weight, at })
      put(this.#associations, other, idx, { weight, at })
    }
  }

  #isolate(idx: number): void {
    for (const other of this.#associations.get(idx)?.keys() ?? []) this.#associations.get(other)?.delete(idx)
    this.#associations.delete(idx)
  }
}

const none: ReadonlyMap<number, Association> = new Map()

function put<Link>(links: Links<Link>, from: number, to: number, link: Link): void {
  let targets = links.get(from)
  if (targets === undefined) {
    targets = new Map()
    links.set(from, targets)
  }
  targets.set(to, link)
}
