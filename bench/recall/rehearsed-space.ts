import type { Hits } from '../../packages/engine/src/kernels/kernels.ts'
import { faded } from '../../packages/engine/src/learning/association.ts'
import {
  type LearningUpdate,
  learnFrom,
  type Observation,
} from '../../packages/engine/src/learning/learning-update.ts'
import { initialState } from '../../packages/engine/src/learning/state.ts'
import type { Trace } from '../../packages/engine/src/learning/trace.ts'
import { parameters } from '../../packages/engine/src/parameters.ts'
import type { HeadWeights } from '../../packages/engine/src/recall/heads.ts'
import { namesOf } from '../../packages/engine/src/recall/names-of-query.ts'
import { combineHeads, type Scored } from '../../packages/engine/src/recall/score.ts'
import { type QueryView, wantedBy } from '../../packages/engine/src/recall/views.ts'
import { geometricSurprise } from '../../packages/engine/src/surprise.ts'
import type { Compute } from '../../packages/memory/src/compute.ts'
import type { PatternSet } from '../../packages/memory/src/index/pattern-set.ts'
import { scoreLexical, searchLexical } from '../../packages/memory/src/index/search-lexical.ts'
import { searchShard } from '../../packages/memory/src/index/search-shard.ts'
import { SpaceIndex } from '../../packages/memory/src/index/space-index.ts'
import { SpaceLearning } from '../../packages/memory/src/learning/space-learning.ts'
import { languagesOf } from '../../packages/memory/src/lexical/language.ts'
import type { StoredPassage } from '../../packages/memory/src/lexical/passage-store.ts'
import { SpaceTexts } from '../../packages/memory/src/lexical/text-cache.ts'
import { textsSeenFrom } from '../../packages/memory/src/recall/recall.ts'
import { recalledOf } from '../../packages/memory/src/recall/recalled.ts'
import { type Gathered, gatherCandidates } from '../../packages/memory/src/recall/score-candidates.ts'
import { searchPassages } from '../../packages/memory/src/recall/search-passages.ts'
import { evidenceOf, searchWords } from '../../packages/memory/src/recall/search-words.ts'
import { shardScoringOf } from '../../packages/memory/src/recall/shard-scoring.ts'

const { lexicalPatterns, timePatterns } = parameters.recall
const { associationMin, associationsMax, strengthStart, tracedRanks } = parameters.learning

/** A text with its embedding. */
export interface Embedded {
  text: string
  vector: Float32Array
  /** Of a long text that is stored. */
  passages?: readonly StoredPassage[] | undefined
  /** Of a query: the views beside the whole, see `viewsOf`. */
  views?: readonly (QueryView & { vector: Float32Array })[] | undefined
}

/** Searches in this thread. */
const here = {
  search: async (_, shard, query, search) => searchShard(shard.target, query, search),
  searchLexical: async (_, index, query, k, allowed) => searchLexical(index.target, query, k, allowed),
  scoreLexical: async (_, index, query, labels) => scoreLexical(index.target, query, labels),
} as Pick<Compute, 'search' | 'searchLexical' | 'scoreLexical'> as Compute
/** Whose searches they are, which only a pool of threads asks. */
const requester = { organizationId: '' }

/** Changes the weights that a space has learned, for one recall. */
export type Reweigh = (weights: HeadWeights) => HeadWeights

interface Link {
  weight: number
  at: number
}

type Attending = Parameters<typeof gatherCandidates>[0]
type Caller = Parameters<typeof gatherCandidates>[1]
type AnsweredPatterns = NonNullable<Extract<Observation, { kind: 'feedback' }>['answer']>['patterns']

/**
 * A space in this process: recall and learning are the service's own, over its real indexes, with tables in memory for its
 * database and a clock that the caller moves. Patterns are numbered from 0 in the order of the texts.
 */
export class RehearsedSpace {
  readonly #index = new SpaceIndex(0)
  readonly #texts = new SpaceTexts()
  readonly #learning: SpaceLearning
  readonly #traces = new Map<string, Trace>()
  readonly #uses = new Map<number, { count: number; lastAt: number; strength: number }>()
  readonly #links = new Map<number, Map<number, Link>>()
  #state
  #version = 0
  #now: number

  private constructor(now: number) {
    this.#now = now
    this.#learning = new SpaceLearning(now)
    this.#state = initialState(now)
  }

  /** @param now ms since 1970 */
  static async of(texts: readonly Embedded[], now: number): Promise<RehearsedSpace> {
    const space = new RehearsedSpace(now)
    space.#index.put(
      texts.map(({ vector }, idx) => ({
        idx,
        key: vector,
        isText: true,
        sourceDim: null,
        expiresAt: null,
        tier: 'hot',
      })),
    )
    await space.#texts.apply({
      version: 0,
      stored: texts.map(({ text, passages }, idx) => ({ idx, text, passages, subject: null })),
      expiries: [],
      removed: [],
    })
    const untold = space.#texts.takeWithoutLanguage(texts.length)
    space.#texts.setLanguages(
      untold,
      untold.map(({ text }) => languagesOf(text)),
    )
    space.#learning.apply({
      engineVersion: ++space.#version,
      createdAt: new Date(now),
      end: texts.length,
      learned: { state: null, stored: [[0, now]], uses: [], associations: [], transitions: [] },
    })
    return space
  }

  get headWeights(): HeadWeights {
    return this.#state.headWeights
  }

  /** How many pairs of patterns are associated. */
  get associations(): number {
    return [...this.#links.values()].reduce((sum, links) => sum + links.size, 0) / 2
  }

  advance(ms: number): void {
    this.#now += ms
  }

  /** Every candidate, best first. Teaches nothing. */
  async recall(
    query: Embedded,
    reweigh: Reweigh = (weights) => weights,
    ofTime?: PatternSet,
  ): Promise<Scored[]> {
    const gathered = await this.gather(query, undefined, ofTime)
    if (gathered === undefined) return []
    return combineHeads(gathered.candidates, gathered.heads, reweigh(this.#state.headWeights))
  }

  /**
   * What recall orders texts by; undefined in an empty space.
   * @param among only these texts count; undefined: all
   * @param ofTime those of the time that the query names; undefined: it names none
   */
  async gather(query: Embedded, among?: PatternSet, ofTime?: PatternSet): Promise<Gathered | undefined> {
    const { vector, views = [{ text: query.text, share: 1, weight: 1, vector }] } = query
    const shard = this.#index.shard(vector.length)
    if (shard === undefined) return undefined
    const [index, learning, texts] = [this.#index, this.#learning, this.#texts]
    const { target } = texts.lexical
    const allowed = among?.bits
    const findWords = (words: string) => searchWords(here, requester, texts, words, lexicalPatterns, allowed)
    const names = namesOf(wantedBy(query.text)).map(({ name }) => name)
    const search = { ...recalledOf(1), minScore: -1, textOnly: true, allowed }
    // All keys are in memory: nothing is asked of a database.
    const context = { clock: { now: () => new Date(this.#now) } } as Attending
    const vectors = views.map((view) => view.vector)
    const known = textsSeenFrom(languagesOf(query.text), texts)
    const scored = { index, shard, views: vectors, learning, texts: texts.order, kinshipOf: known.kinshipOf }
    const scoring = await shardScoringOf(context, {} as Caller, scored)
    const timed = { ...search, k: timePatterns, exactK: timePatterns, allowed: ofTime?.bits }
    const ofThen = (view: QueryView & { vector: Float32Array }) => [
      searchShard(shard.target, view.vector, timed),
      searchLexical(target, view.text, timePatterns, ofTime?.bits),
    ]
    const [dense, ...others] = vectors.map((view) => searchShard(shard.target, view, search))
    const alsoFound = ofTime === undefined ? others : [...others, ...views.flatMap(ofThen)]
    const [gathered] = await gatherCandidates(context, {} as Caller, {
      index,
      shards: [scoring],
      learning,
      dense: dense as Hits,
      alsoFound: names.length === 0 ? alsoFound : [...alsoFound, await findWords(names.join(' '))],
      passages: await searchPassages(here, requester, texts.passages, vectors, allowed),
      words: await Promise.all(
        views.map(async (view) => evidenceOf(here, requester, texts, view, await findWords(view.text))),
      ),
      views,
      texts: known,
      weights: this.#state.headWeights,
      among,
      ofTime,
    })
    return gathered
  }

  /** Recalls the k best and learns from it, as `POST /v1/memory/text/recall` does. */
  async use(query: Embedded, actor: string, k: number, reweigh?: Reweigh): Promise<Scored[]> {
    const scored = await this.recall(query, reweigh)
    const answer = scored.slice(0, k)
    for (const { idx } of answer) this.#count(idx)
    const nearest = Math.max(...scored.map(({ cosine }) => cosine))
    this.#learn({
      kind: 'answer',
      at: this.#now,
      surprise: geometricSurprise(scored.length === 0 ? undefined : nearest),
      actor,
      query: query.text,
      pathway: 'attention',
      patterns: answer.map(answered),
      asked: query.vector,
    })
    return answer
  }

  /** Says that a pattern was useful for a query, as `POST /v1/memory/feedback` does. */
  async tell(query: Embedded, actor: string, idx: number, reweigh?: Reweigh): Promise<void> {
    const scored = await this.recall(query, reweigh)
    const answer = scored.slice(0, tracedRanks)
    const meant = scored.find((one) => one.idx === idx)
    const patterns = (meant === undefined || answer.includes(meant) ? answer : [...answer, meant]).map(
      answered,
    )
    this.#learn({
      kind: 'feedback',
      at: this.#now,
      actor,
      idx,
      useful: true,
      answer: { pathway: 'attention', patterns },
    })
  }

  #count(idx: number): void {
    const { count, strength } = this.#useOf(idx)
    this.#uses.set(idx, { count: count + 1, lastAt: this.#now, strength })
  }

  #useOf(idx: number) {
    return this.#uses.get(idx) ?? { count: 0, lastAt: this.#now, strength: strengthStart }
  }

  #learn(observation: Observation): void {
    const strengthOf = (idx: number) => this.#useOf(idx).strength
    const update = learnFrom(this.#state, this.#traces, [observation], () => true, { strengthOf })
    this.#state = update.state
    for (const [actor, trace] of update.traces) this.#traces.set(actor, trace)
    for (const { idx, strength } of update.strengths) this.#uses.set(idx, { ...this.#useOf(idx), strength })
    const ends = this.#associate(update.associations)
    this.#learning.apply({
      engineVersion: ++this.#version,
      createdAt: new Date(this.#now),
      end: this.#index.end,
      learned: {
        state: this.#state,
        stored: [...this.#learning.epochs].map(([first, at]) => [first, at]),
        uses: Array.from(this.#uses, ([idx, { count, lastAt, strength }]) => [idx, count, lastAt, strength]),
        associations: [...ends].flatMap((idx) =>
          Array.from(
            this.#links.get(idx) ?? [],
            ([other, { weight, at }]): [number, number, number, number] => [idx, other, weight, at],
          ),
        ),
        transitions: [],
      },
    })
  }

  /** Adds to what is left of associations, and drops the weakest. @returns the patterns whose associations changed */
  #associate(pairs: LearningUpdate['associations']): Set<number> {
    const ends = new Set(pairs.flatMap(({ a, b }) => [a, b]))
    for (const { a, b, kept } of pairs) {
      const before = this.#links.get(a)?.get(b)
      const left = before === undefined ? 0 : faded(before.weight, before.at, this.#now)
      const link = { weight: 1 - (1 - left) * kept, at: this.#now }
      this.#linksOf(a).set(b, link)
      this.#linksOf(b).set(a, link)
    }
    const changed = new Set(ends)
    for (const idx of ends) {
      const links = this.#linksOf(idx)
      const ranked = Array.from(links, ([other, { weight, at }]) => ({
        other,
        left: faded(weight, at, this.#now),
      })).sort((x, y) => y.left - x.left || x.other - y.other)
      for (const [rank, { other, left }] of ranked.entries()) {
        if (rank < associationsMax && left >= associationMin) continue
        links.delete(other)
        this.#links.get(other)?.delete(idx)
        changed.add(other)
      }
    }
    return changed
  }

  #linksOf(idx: number): Map<number, Link> {
    let links = this.#links.get(idx)
    if (links === undefined) {
      links = new Map()
      this.#links.set(idx, links)
    }
    return links
  }
}

const answered = ({ idx, cosine, z }: Scored): AnsweredPatterns[number] => ({ idx, cosine, z: Array.from(z) })
