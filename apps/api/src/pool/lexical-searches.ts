import { setImmediate } from 'node:timers/promises'
import type { Requester } from '@memory/memory/compute'
import type { LexicalFound, LexicalIndex } from '@memory/memory/index/lexical-index'
import { scoreLexical, searchLexical } from '@memory/memory/index/search-lexical'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { LexicalTask, Result } from './thread.ts'

/**
 * Texts up to which a search is done on the main thread: natively 10,000 take 0.1 ms and 30,000 0.2 ms, the way to a
 * thread and back 0.5 ms.
 */
export const smallLexicalSearch = 20_000
/**
 * Texts times characters of the query up to which it is done there while no other is under way, so that nothing is gained
 * by a thread: with 60 characters 100,000 texts take 0.5 ms.
 */
export const smallLoneLexicalSearch = 8_000_000
/** The same for texts that are scored one by one. */
const fewScores = 1_000

type RunInThread = (requester: Requester, index: LexicalIndex, task: LexicalTask) => Promise<Result>

/** Lexical searches: here where it is little to do or the index is JavaScript's own, else in a thread. */
export class LexicalSearches {
  readonly #runInThread: RunInThread
  #underWay = 0

  constructor(runInThread: RunInThread) {
    this.#runInThread = runInThread
  }

  /** @throws ApiError abandoned, unavailable */
  async search(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    k: number,
    allowed: Uint8Array | undefined,
  ): Promise<LexicalFound> {
    if (requester.signal?.aborted) throw new ApiError('abandoned')
    const { target, size } = index
    if (target.kind === 'local' || size <= smallLexicalSearch) return searchLexical(target, query, k, allowed)
    const isAlone = this.#underWay === 0 && size * query.length <= smallLoneLexicalSearch
    this.#underWay++
    try {
      if (isAlone) {
        // A search by keys that is asked for with this one is in its thread by the end of the turn after this one.
        await setImmediate()
        await setImmediate()
        if (requester.signal?.aborted) throw new ApiError('abandoned')
        return searchLexical(target, query, k, allowed)
      }
      const result = await this.#runInThread(requester, index, { kind: 'lexical', target, query, k, allowed })
      if (result.kind !== 'lexical') throw new Error(`A pool thread answered with ${result.kind}.`)
      return result.found
    } finally {
      this.#underWay--
    }
  }

  /** @throws ApiError abandoned, unavailable */
  async score(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    labels: Int32Array,
  ): Promise<Float64Array> {
    if (requester.signal?.aborted) throw new ApiError('abandoned')
    const { target } = index
    if (target.kind === 'local' || labels.length <= fewScores) return scoreLexical(target, query, labels)
    const result = await this.#runInThread(requester, index, { kind: 'lexicalScores', target, query, labels })
    if (result.kind !== 'lexicalScores') throw new Error(`A pool thread answered with ${result.kind}.`)
    return result.scores
  }
}
