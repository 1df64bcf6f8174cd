import { readComparable } from '@memory/engine/contradiction/contradiction'
import type { Hits } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import { findConflict, nearMin, type Statement } from '@memory/engine/sleep/conflicts'
import { nextSlice } from '@memory/shared/platform/asker'
import { asTenant } from '@memory/shared/platform/database/database'
import { LRUCache } from 'lru-cache'
import type { Exploration } from '../exploration/explore.ts'
import { bitsOf } from '../index/bits.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import type { Lease } from '../schedule/lease.ts'
import { nearestInShard } from '../spaces/neighbours.ts'
import type { OpenSpace } from '../spaces/open-space.ts'
import * as store from './compared-store.ts'
import { newConflictId } from './conflict-id.ts'

const { neighbours, openMax, openOfSpaceMax, perText } = parameters.conflicts

/** Texts compared with their neighbours in one step. */
const stepTexts = 40
/** End users whose patterns are remembered from step to step: what was stored together is often of one, or of a few in turn. */
const subjectsKept = 8

/**
 * How far conflicts were looked for. `compared`: through all stored or changed texts; `unfinished`: until the time was over;
 * `full`: until as many were open as may be. The next run goes on from there.
 */
export type Looked = 'compared' | 'unfinished' | 'full'

type Comparing = Pick<Exploration, 'queries' | 'compute' | 'spaces' | 'clock'>

/**
 * Compares the texts that were stored or changed since the last sleep with the nearest texts of the same end user, and stores the
 * conflicts found. Each step is a transaction that also saves the progress, so a run can be interrupted at any time.
 * @param deadline by `performance.now()`; at least one step is done
 * @param onFound called after each step with the number of new conflicts
 */
export async function findConflicts(
  context: Comparing,
  space: OpenSpace,
  lease: Lease,
  deadline: number,
  onFound: (count: number) => void,
): Promise<Looked> {
  const { queries, clock } = context
  const { spaceId, signal } = space
  const comparison = await Comparison.begin(context, space, lease)
  let { compared } = comparison
  for (;;) {
    await nextSlice(signal)
    const ahead = { until: comparison.until, texts: stepTexts }
    const { texts, end } = await store.listTouched(queries, spaceId, compared, ahead)
    if (end === undefined) return 'compared'
    if (comparison.isFull()) return 'full'
    const conflicts = await comparison.compare(texts)
    const found = await asTenant(queries, { spaceId }, async (trx) => {
      await lease.renew(trx)
      await store.saveCompared(trx, spaceId, end)
      return store.insertConflicts(trx, spaceId, comparison.seen, clock.now(), conflicts)
    })
    comparison.opened(found)
    onFound(found.length)
    compared = end
    if (performance.now() > deadline) return 'unfinished'
  }
}

/** Two similar patterns of the same end user, a < b, with their cosine. */
interface NearPair {
  a: number
  b: number
  similarity: number
}

/** The texts of a space while they are compared. */
class Comparison {
  /** The space's version up to which changes are compared now. */
  readonly until: number
  /** How far earlier runs have come. */
  readonly compared: store.Compared
  /** The space's version that the keys in the index are as of. */
  readonly seen: number
  readonly #context: Comparing
  readonly #space: OpenSpace
  readonly #index: SpaceIndex
  readonly #hasSubjects: boolean
  /** How many conflicts are open, by the end user of their texts. */
  readonly #open: Map<string | null, number>
  /** Bit set of the patterns without an end user, once read. */
  #withoutSubject: Uint8Array | undefined
  /** The same of the end users that came last. */
  readonly #ofSubjects = new LRUCache<string, Uint8Array>({ max: subjectsKept })

  private constructor(
    context: Comparing,
    space: OpenSpace,
    index: SpaceIndex,
    { version, compared, hasSubjects, open }: store.ComparedSpace,
  ) {
    this.#context = context
    this.#space = space
    this.#index = index
    this.#hasSubjects = hasSubjects
    this.#open = open
    this.until = version
    this.compared = compared
    this.seen = index.version
  }

  static async begin(context: Comparing, space: OpenSpace, lease: Lease): Promise<Comparison> {
    const { spaceId } = space
    const compared = await asTenant(context.queries, { spaceId }, async (trx) => {
      await lease.renew(trx)
      return store.beginComparing(trx, spaceId)
    })
    const index = await context.spaces.get(spaceId, compared.version)
    return new Comparison(context, space, index, compared)
  }

  /** Whether as many conflicts are open as may be in the space. One without end users is as an end user is. */
  isFull(): boolean {
    const open = [...this.#open.values()]
    return open.reduce((sum, count) => sum + count, 0) >= (this.#hasSubjects ? openOfSpaceMax : openMax)
  }

  opened(conflicts: readonly store.FoundConflict[]): void {
    for (const { subject } of conflicts) this.#open.set(subject, (this.#open.get(subject) ?? 0) + 1)
  }

  /** The conflicts of some texts with others. What is of an end user with as many open as may be is passed over. */
  async compare(indexes: readonly number[]): Promise<store.FoundConflict[]> {
    const { queries } = this.#context
    const { spaceId } = this.#space
    const texts = indexes.length === 0 ? [] : await store.findCompared(queries, spaceId, indexes)
    const pairs: NearPair[] = []
    for (const [subject, ofSubject] of Map.groupBy(texts, ({ subject }) => subject)) {
      if ((this.#open.get(subject) ?? 0) >= openMax) continue
      const own = ofSubject.map(({ idx }) => idx)
      pairs.push(...(await this.#nearOf(subject, own)))
    }
    const known = new Map(texts.map((text) => [text.idx, text]))
    const others = new Set(pairs.flatMap(({ a, b }) => [a, b]).filter((idx) => !known.has(idx)))
    if (others.size > 0) {
      for (const text of await store.findCompared(queries, spaceId, [...others])) known.set(text.idx, text)
    }
    return this.#judge(pairs, known)
  }

  /** The conflicts among pairs of texts, for each text the most similar ones (`perText`). */
  async #judge(
    pairs: readonly NearPair[],
    texts: ReadonlyMap<number, store.ComparedText>,
  ): Promise<store.FoundConflict[]> {
    const { clock } = this.#context
    const { signal } = this.#space
    const conflicts: store.FoundConflict[] = []
    const statements = new Map<number, Statement>()
    const counts = new Map<number, number>()
    for (const pair of pairs.toSorted((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b)) {
      const [one, other] = [texts.get(pair.a), texts.get(pair.b)]
      if (one === undefined || other === undefined || one.subject !== other.subject) continue
      const ends = [pair.a, pair.b]
      if (ends.some((idx) => (counts.get(idx) ?? 0) >= perText)) continue
      await nextSlice(signal)
      const [statement, otherStatement] = [readOnce(statements, one), readOnce(statements, other)]
      const conflict = findConflict(statement, otherStatement, pair.similarity)
      if (conflict === undefined) continue
      for (const idx of ends) counts.set(idx, (counts.get(idx) ?? 0) + 1)
      conflicts.push({ id: newConflictId(clock.now()), ...pair, ...conflict, subject: one.subject })
    }
    return conflicts
  }

  /** Pairs of the given texts of an end user (null: none) with that user's nearest texts. Each pair once. */
  async #nearOf(subject: string | null, indexes: readonly number[]): Promise<NearPair[]> {
    const { queries } = this.#context
    const { spaceId } = this.#space
    const search = { allowed: await this.#patternsOf(subject), textOnly: true, minScore: nearMin }
    const pairs = new Map<string, NearPair>()
    for (const [shard, ofShard] of Map.groupBy(indexes, (idx) => this.#index.shardOf(idx))) {
      if (shard === undefined) continue
      const keys = [...(await findShardKeys(queries, spaceId, shard, Int32Array.from(ofShard)))]
      const vectors = keys.map(([, key]) => key)
      // One more than needed, since the text itself is found too.
      const hits = await nearestInShard(this.#context, this.#space, shard, vectors, neighbours + 1, search)
      for (const [i, [idx]] of keys.entries()) {
        for (const pair of pairsOf(idx, hits[i] as Hits)) pairs.set(`${pair.a},${pair.b}`, pair)
      }
    }
    return [...pairs.values()]
  }

  /**
   * Bit set of the patterns of an end user (null: without one); undefined: all, since no pattern of the space has an end user.
   */
  async #patternsOf(subject: string | null): Promise<Uint8Array | undefined> {
    if (!this.#hasSubjects) return undefined
    const known = subject === null ? this.#withoutSubject : this.#ofSubjects.get(subject)
    if (known !== undefined) return known
    const bits = bitsOf(await store.listOfSubject(this.#context.queries, this.#space.spaceId, subject))
    if (subject === null) this.#withoutSubject = bits
    else this.#ofSubjects.set(subject, bits)
    return bits
  }
}

function pairsOf(idx: number, { labels, scores }: Hits): NearPair[] {
  return Array.from(labels, (label, place) => ({
    a: Math.min(idx, label),
    b: Math.max(idx, label),
    similarity: Math.min(1, scores[place] as number),
  })).filter(({ a, b }) => a !== b)
}

function readOnce(known: Map<number, Statement>, { idx, text, occurred_at }: store.ComparedText): Statement {
  const statement = known.get(idx) ?? { comparable: readComparable(text), at: occurred_at.getTime() }
  known.set(idx, statement)
  return statement
}
