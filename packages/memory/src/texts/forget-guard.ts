import {
  type Comparable,
  type ContradictionReason,
  findContradiction,
  readComparable,
} from '@memory/engine/contradiction/contradiction'
import type { Queries } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import * as store from '../store.ts'
import { isSameText } from './text-identity.ts'

/** A pattern that is not forgotten although it is similar enough to the query, and why. */
export interface Kept {
  idx: number
  id: string
  reason: ContradictionReason
}

/**
 * Keeps texts from being forgotten that are similar to the query but contradict it, which a cosine does not show. Compares each
 * distinct text only once.
 */
export class ForgetGuard {
  readonly #text: string
  readonly #read: Comparable
  readonly #reasons = new Map<string, ContradictionReason | undefined>()

  constructor(text: string) {
    this.#text = text
    this.#read = readComparable(text)
  }

  /** The patterns that must be kept, in their order. */
  async findKept(
    queries: Queries,
    spaceId: string,
    found: readonly { idx: number; id: string }[],
  ): Promise<Kept[]> {
    const indexes = found.map(({ idx }) => idx)
    const payloads = indexes.length === 0 ? [] : await store.findPayloads(queries, spaceId, indexes, false)
    const kept = new Map<number, ContradictionReason>()
    for (const { idx, text } of payloads) {
      const reason = text === null ? undefined : this.reasonToKeep(text)
      if (reason !== undefined) kept.set(idx, reason)
      await yieldToEventLoop()
    }
    return found.flatMap(({ idx, id }) => {
      const reason = kept.get(idx)
      return reason === undefined ? [] : [{ idx, id, reason }]
    })
  }

  /** Why a text must be kept; undefined if it need not. */
  reasonToKeep(text: string): ContradictionReason | undefined {
    if (this.#reasons.has(text)) return this.#reasons.get(text)
    const reason = isSameText(text, this.#text)
      ? undefined
      : findContradiction(this.#read, readComparable(text))
    this.#reasons.set(text, reason)
    return reason
  }
}
