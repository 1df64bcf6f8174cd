import { setImmediate } from 'node:timers/promises'
import type { Hits } from '@memory/engine/kernels/kernels'
import { advanceTo, policyOf } from '@memory/engine/modulation'
import { parameters } from '@memory/engine/parameters'
import { type NameOfQuery, namesOf } from '@memory/engine/recall/names-of-query'
import type { Scored } from '@memory/engine/recall/score'
import { type NamedTime, namedTime } from '@memory/engine/recall/time-expressions'
import { type QueryView, viewsOf, wantedBy } from '@memory/engine/recall/views'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller } from '@memory/shared/catalogue/operation'
import { spending } from '@memory/shared/platform/asker'
import type { Compute } from '../compute.ts'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { occurredIn } from '../filter/occurred-in.ts'
import type { LexicalFound } from '../index/lexical-index.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { compareLanguages, type Kinship, languagesOf } from '../lexical/language.ts'
import type { SpaceTexts } from '../lexical/text-cache.ts'
import { tellLanguages } from '../lexical/text-languages.ts'
import { visibleTo } from '../subjects/visible.ts'
import { searchTexts } from '../texts/search-texts.ts'
import { inCosineOrder } from './cosine-order.ts'
import { recalledOf } from './recalled.ts'
import { type KnownTexts, scoreCandidates } from './score-candidates.ts'
import { type NearPassage, searchPassages } from './search-passages.ts'
import { evidenceOf, noWords, searchWords, type WordsFound } from './search-words.ts'
import { type ShardScoring, shardScoringOf } from './shard-scoring.ts'
import { arrangeTexts } from './take-texts.ts'

const { lexicalPatterns, timePatterns, wideFactor } = parameters.recall

/** What to recall. */
export interface RecallRequest {
  query: string
  k: number
  filter?: Filter | undefined
  /** Least cosine. */
  minSimilarity: number
  /** The time, in ms since 1970, relative to which "yesterday" in the query is read; undefined: times are not looked for. */
  timeSeenFrom?: number | undefined
}

/** Recalls texts. Does not record the answer for learning; callers do that with `recordAnswer`. */
export async function recall(context: MemoryContext, caller: Caller, request: RecallRequest) {
  const narrow = await recallFrom(context, caller, request, 1)
  const { taken, collapsed } = narrow
  // Copies of one text may have filled the list of candidates. If that left fewer than k texts, look at more candidates.
  const isCut =
    taken.length < request.k && collapsed > 0 && narrow.isAllAlike && taken.length + collapsed < narrow.held()
  return isCut ? recallFrom(context, caller, request, wideFactor) : narrow
}

/** @param factor how many times as many candidates as usual are looked for */
async function recallFrom(context: MemoryContext, caller: Caller, request: RecallRequest, factor: number) {
  const { query, k, minSimilarity } = request
  const found = await search(context, caller, request, factor)
  const { vector, index, dense, passages, scoring, lexical, learning, among, ofTime } = found
  const { state: modulation } = advanceTo(learning.state.modulation, context.clock.now().getTime())
  const weights = learning.state.headWeights
  const isExact = policyOf(modulation).forceExact || scoring === undefined
  const [whole] = dense
  const scored: Scored[] = isExact
    ? inCosineOrder(whole)
    : await spending('rank', () =>
        scoreCandidates(context, caller, {
          index,
          shards: [scoring],
          learning,
          dense: whole,
          alsoFound: [...dense.slice(1), ...found.alsoOfTime, ...lexical.named],
          passages,
          words: lexical.found.map((words, i) =>
            evidenceOf(context.compute, caller, lexical.texts, found.views[i] as QueryView, words),
          ),
          views: found.views,
          texts: found.known,
          weights,
          visible: found.visible,
          among,
          ofTime,
        }),
      )
  const similar = minSimilarity > -1 ? scored.filter(({ cosine }) => cosine >= minSimilarity) : scored
  return {
    vector,
    pathway: isExact ? ('exact' as const) : ('attention' as const),
    ...(await arrangeTexts(context, caller.spaceId, index, similar, { query, names: found.names, k })),
    /** Greatest cosine of any text with the query; undefined if there is no text. */
    nearest: whole.scores[0],
    /** The restrictions under which `nearest` was found. */
    search: { minScore: -1, among },
    /** Every candidate, best first. */
    scored,
    /** Whether every candidate reached `minSimilarity`. If not, candidates further down would not reach it either. */
    isAllAlike: similar.length === scored.length,
    /** How many texts the search could have found. */
    held: () => among?.count ?? lexical.texts.lexical.size,
    passages,
    /** The time that the query names; undefined: none. */
    time: found.time,
    lexicalHits: lexical.found[0].matched,
    weights,
    regime: modulation.regime,
  }
}

/**
 * Runs all searches of a recall concurrently: by key, by words, by passages, and within the time that the query names. Each
 * starts as soon as its own inputs are there.
 */
async function search(
  context: MemoryContext,
  caller: Caller,
  { query, k, filter, timeSeenFrom }: RecallRequest,
  factor: number,
) {
  const { spaceId, spaceVersion } = caller
  const { compute } = context
  const views = viewsOf(query)
  const wanted = wantedBy(query)
  const names = namesOf(wanted)
  const time = timeSeenFrom === undefined ? undefined : namedTime(wanted, timeSeenFrom)
  const listing = filter && findMatching(context, caller, filter)
  const timing = time && matchingTime(context, caller, filter, time)
  const embedding = Promise.all(views.map(({ text }) => compute.embed(caller, text, 'search')))
  const indexing = context.spaces.get(spaceId, spaceVersion)
  const meanwhile: Meanwhile = {
    learned: context.learned.get(spaceId, caller.engineVersion),
    reading: readTexts(context, caller, query, indexing),
    seeing: visibleTo(context, caller),
  }
  const { learned, reading, seeing } = meanwhile
  // The lexical search needs no embedding, so it runs while the query is being embedded.
  const searchingWords = Promise.all([reading, listing]).then(([{ texts }, among]) =>
    among?.count === 0
      ? { texts, found: views.map(() => noWords) as [WordsFound, ...WordsFound[]], named: [] }
      : searchViews(compute, caller, { texts, views, names }, factor * lexicalPatterns, among?.bits),
  )
  const searchingPassages = Promise.all([embedding, reading, listing]).then(([vectors, { texts }, among]) =>
    among?.count === 0
      ? new Map<number, NearPassage>()
      : searchPassages(compute, caller, texts.passages, vectors, among?.bits),
  )
  const searchingTime = Promise.all([embedding, reading, indexing, timing]).then(
    ([vectors, { texts }, index, ofTime]) =>
      ofTime === undefined ? [] : bestAmong(context, caller, { index, texts, views, vectors }, ofTime),
  )
  const near = { ...recalledOf(k), minScore: -1 }
  const searchingKeys = Promise.all([embedding, indexing, listing]).then(([vectors, index, among]) =>
    searchKeys(context, caller, { index, vectors, meanwhile }, { ...near, k: factor * near.k, among }),
  )
  // All promises in one `Promise.all`: whichever fails first, no other rejection stays unhandled.
  const [keys, { known }, passages, lexical, alsoOfTime, learning, among, ofTime, visible] =
    await Promise.all([
      searchingKeys,
      reading,
      searchingPassages,
      searchingWords,
      searchingTime,
      learned,
      listing,
      timing,
      seeing,
    ])
  const found = { ...keys, passages, lexical, alsoOfTime, among, ofTime }
  return { ...found, views, names, time, known, learning, visible }
}

/** The texts of a space, with their languages. */
async function readTexts(
  context: MemoryContext,
  caller: Caller,
  query: string,
  indexing: Promise<SpaceIndex>,
): Promise<{ texts: SpaceTexts; known: KnownTexts }> {
  const texts = await context.texts.beside(caller, indexing)
  await tellLanguages(texts)
  return { texts, known: textsSeenFrom(languagesOf(query), texts) }
}

/** Finds the nearest patterns to each view of a query, and measures what their scores are normalised by. */
async function searchKeys(
  context: MemoryContext,
  caller: Caller,
  {
    index,
    vectors,
    meanwhile,
  }: { index: SpaceIndex; vectors: readonly Float32Array[]; meanwhile: Meanwhile },
  near: Parameters<typeof searchTexts>[4],
) {
  const [dense, scoring] = await Promise.all([
    Promise.all(vectors.map((vector) => searchTexts(context, caller, index, vector, near))),
    // If a filter lets nothing in, there will be no candidates to score.
    near.among?.count === 0 ? undefined : scoringMeanwhile(context, caller, index, vectors, meanwhile),
  ])
  return { vector: vectors[0] as Float32Array, index, dense: dense as [Hits, ...Hits[]], scoring }
}

interface Worded {
  texts: SpaceTexts
  views: readonly QueryView[]
  names: readonly NameOfQuery[]
}

/** Lexical search for each view of a query (`found`), and for the identifiers that it names (`named`). */
async function searchViews(
  compute: Compute,
  caller: Caller,
  { texts, views, names }: Worded,
  k: number,
  allowed: Uint8Array | undefined,
): Promise<{ texts: SpaceTexts; found: [WordsFound, ...WordsFound[]]; named: LexicalFound[] }> {
  // Identifiers are searched alone too: a text that shares only the identifier ranks low for the whole query.
  const named = names.map(({ name }) => name).join(' ')
  const [found, ofNames] = await Promise.all([
    Promise.all(views.map(({ text }) => searchWords(compute, caller, texts, text, k, allowed))),
    Promise.all(named === '' ? [] : [compute.searchLexical(caller, texts.lexical, named, k, allowed)]),
  ])
  return { texts, found: found as [WordsFound, ...WordsFound[]], named: ofNames }
}

/** The patterns that occurred in a time and match the filter; undefined if there are none. */
async function matchingTime(
  context: MemoryContext,
  caller: Caller,
  filter: Filter | undefined,
  time: NamedTime,
): Promise<PatternSet | undefined> {
  const found = await findMatching(context, caller, occurredIn(filter, time) as Filter)
  return found.count > 0 ? found : undefined
}

interface Searched {
  index: SpaceIndex
  texts: SpaceTexts
  views: readonly QueryView[]
  /** The embedding of each view. */
  vectors: readonly Float32Array[]
}

/** Among the given patterns, the few nearest to each view of a query by cosine, and the few best by BM25. */
async function bestAmong(
  context: MemoryContext,
  caller: Caller,
  { index, texts, views, vectors }: Searched,
  among: PatternSet,
): Promise<Pick<Hits, 'labels'>[]> {
  const near = { k: timePatterns, exactK: timePatterns, minScore: -1, among }
  return Promise.all([
    ...vectors.map((vector) => searchTexts(context, caller, index, vector, near)),
    ...views.map(({ text }) =>
      context.compute.searchLexical(caller, texts.lexical, text, timePatterns, among.bits),
    ),
  ])
}

/** Reads that run while the query is being embedded. */
interface Meanwhile {
  learned: Promise<SpaceLearning>
  reading: Promise<{ texts: SpaceTexts; known: KnownTexts }>
  seeing: Promise<PatternSet | undefined>
}

/**
 * Measures what candidates' scores will be normalised by. Waits one turn of the event loop first, so that the search itself has
 * been handed to a thread and runs meanwhile.
 */
async function scoringMeanwhile(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  views: readonly Float32Array[],
  { learned, reading, seeing }: Meanwhile,
): Promise<ShardScoring | undefined> {
  const shard = index.shard(context.compute.dimensions)
  if (shard === undefined) return undefined
  const [learning, { texts, known }, visible] = await Promise.all([learned, reading, seeing, setImmediate()])
  const { kinshipOf } = known
  return shardScoringOf(context, caller, {
    index,
    shard,
    visible,
    views,
    learning,
    texts: texts.order,
    kinshipOf,
  })
}

/** The texts of a space as seen from a query. @param asked the languages of the query, as `languagesOf` returned them */
export function textsSeenFrom(asked: string | undefined, texts: SpaceTexts): KnownTexts {
  const { traits } = texts
  // Remembered by languages: a space has few, and many texts are asked about.
  const kinships = new Map<string | undefined, Kinship>()
  const kinshipOf = (idx: number): Kinship => {
    const languages = traits.languagesOf(idx)
    const known = kinships.get(languages) ?? compareLanguages(asked, languages)
    kinships.set(languages, known)
    return known
  }
  return {
    has: (idx) => texts.has(idx),
    asks: (idx) => traits.asks(idx),
    lengthOf: (idx) => traits.lengthOf(idx),
    kinshipOf,
  }
}
