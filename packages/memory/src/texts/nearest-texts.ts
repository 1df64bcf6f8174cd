import { kernels } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import { hasCodePoints } from '@memory/shared/catalogue/fields'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { bitsOf } from '../index/bits.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { loadPassages } from '../lexical/passage-store.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { type NearPassage, searchPassages } from '../recall/search-passages.ts'
import { inSentences } from './in-sentences.ts'
import type { NearText, Wanted } from './near-text.ts'
import { searchTexts } from './search-texts.ts'

const { candidates: partsMax, evidenceMin } = parameters.explain

/** The `belief.candidates` nearest texts, best first. */
async function findNearestTexts(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  query: Float32Array,
  among?: PatternSet,
): Promise<NearText[]> {
  const { labels, scores } = await searchTexts(context, caller, index, query, {
    k: parameters.belief.candidates,
    minScore: -1,
    among,
  })
  return loadTexts(context, caller, index, labels, (_, i) => scores[i] as number)
}

/** Reads texts with their keys. One that is deleted meanwhile is left out. */
async function loadTexts(
  context: MemoryContext,
  { spaceId }: Caller,
  index: SpaceIndex,
  labels: Int32Array,
  cosineOf: (vector: Float32Array, i: number) => number,
): Promise<NearText[]> {
  const shard = index.shard(context.compute.dimensions)
  if (labels.length === 0 || shard === undefined) return []
  const [keys, payloads] = await Promise.all([
    findShardKeys(context.queries, spaceId, shard, labels),
    context.payloads.find(spaceId, index, labels, { value: false }),
  ])
  const found = Array.from(labels, (idx, i) => {
    const vector = keys.get(idx)
    const payload = payloads.get(idx)
    if (vector === undefined || payload?.text == null) return undefined
    const { id, text, at } = payload
    return { idx, id, text, at, vector, cosine: cosineOf(vector, i) }
  })
  return found.filter((candidate) => candidate !== undefined)
}

/** The texts that share most words with a query, best first by BM25, and those that share most with its identifiers. */
async function findLexicalTexts(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  { text, vector, names = [] }: Wanted,
  among?: PatternSet,
): Promise<NearText[]> {
  if (among?.count === 0) return []
  const { lexical } = await context.texts.beside(caller, index)
  const { lexicalTexts } = parameters.belief
  // A text that shares only an identifier ranks low for the whole query.
  const searched = names.length === 0 ? [text] : [text, names.map(({ name }) => name).join(' ')]
  const found = await Promise.all(
    searched.map((words) => context.compute.searchLexical(caller, lexical, words, lexicalTexts, among?.bits)),
  )
  const labels = new Int32Array(new Set(found.flatMap((each) => [...each.labels])))
  return loadTexts(context, caller, index, labels, (key) => kernels.cosine(vector, key))
}

/** The result of `findNearestParts`. */
export interface NearParts {
  texts: NearText[]
  /** The greatest cosine of a whole text; undefined if there is none. */
  nearestWhole: number | undefined
}

/**
 * The `belief.candidates` texts nearest to a query, best first. A long text is represented by its nearest passage if that is
 * nearer: a long text is about so much that the whole is near to no question. With them come those that share words with the
 * query and state it, or have an identifier of it or every word that says what it is about; see also `inSentences`.
 * @param among undefined: all texts
 */
export async function findNearestParts(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  query: Wanted,
  among?: PatternSet,
): Promise<NearParts> {
  const [whole, passages, lexical] = await Promise.all([
    findNearestTexts(context, caller, index, query.vector, among),
    context.texts
      .beside(caller, index)
      .then((held) =>
        among?.count === 0
          ? new Map<number, NearPassage>()
          : searchPassages(context.compute, caller, held.passages, [query.vector], among?.bits),
      ),
    findLexicalTexts(context, caller, index, query, among),
  ])
  const known = new Map(whole.map((one) => [one.idx, one]))
  const further = nearerOf(passages, known).filter(([idx]) => !known.has(idx))
  const payloads = await context.payloads.find(
    caller.spaceId,
    index,
    further.map(([idx]) => idx),
    { value: false },
  )
  const longTexts = Array.from(payloads, ([idx, { id, text, at }]) => ({
    ...{ idx, id, text, at },
    cosine: -1,
  })).filter(isText)
  const parts = await findParts(context, caller, query.vector, [...whole, ...longTexts], passages)
  const nearest = inPlaceOf(whole, parts)
  const texts = await inSentences(context, caller, query, { nearest, lexical })
  return { texts, nearestWhole: whole[0]?.cosine }
}

/**
 * Replaces texts of a past time by their nearest passages and sentences, where these are nearer. Only passages of the present texts are stored,
 * so a text that was changed or removed since then stays whole. When a text happened is not stored of past times: that is as it
 * is now, where the text is still there.
 */
export async function takeNearestParts(
  context: MemoryContext,
  caller: Caller,
  query: Wanted,
  past: readonly NearText[],
): Promise<NearText[]> {
  const index = await context.spaces.get(caller.spaceId, caller.spaceVersion)
  const indexes = past.map(({ idx }) => idx)
  const [held, payloads] = await Promise.all([
    context.texts.beside(caller, index),
    context.payloads.find(caller.spaceId, index, indexes, { value: false }),
  ])
  const texts = past.map((one) => ({ ...one, at: payloads.get(one.idx)?.at ?? one.at }))
  const unchanged = texts.filter(
    ({ idx, text }) => payloads.get(idx)?.text === text && held.passages.has(idx),
  )
  const allowed = bitsOf(unchanged.map(({ idx }) => idx))
  const passages =
    unchanged.length === 0
      ? new Map<number, NearPassage>()
      : await searchPassages(context.compute, caller, held.passages, [query.vector], allowed)
  const parts = await findParts(context, caller, query.vector, unchanged, passages)
  return inSentences(context, caller, query, { nearest: inPlaceOf(texts, parts), lexical: [] })
}

type Whole = Omit<NearText, 'vector' | 'whole'>

const isText = (one: Omit<Whole, 'text'> & { text: string | null }): one is Whole => one.text !== null

/** Passages near enough to be evidence, and nearer than their whole text (if it is in `wholes`), nearest first. */
function nearerOf(
  passages: ReadonlyMap<number, NearPassage>,
  wholes: ReadonlyMap<number, Pick<Whole, 'cosine'>>,
): [idx: number, passage: NearPassage][] {
  return Array.from(passages)
    .filter(([idx, { cosine }]) => cosine >= evidenceMin && cosine > (wholes.get(idx)?.cosine ?? -1))
    .sort(([, a], [, b]) => b.cosine - a.cosine)
    .slice(0, partsMax)
}

/** The nearest passages of texts, with their keys from the database and so with exact cosines. */
async function findParts(
  { queries }: MemoryContext,
  { spaceId }: Caller,
  query: Float32Array,
  texts: readonly Whole[],
  passages: ReadonlyMap<number, NearPassage>,
): Promise<NearText[]> {
  const wholes = new Map(texts.map((one) => [one.idx, one]))
  const found = nearerOf(passages, wholes).map(async ([idx, { start, end }]) => {
    const whole = wholes.get(idx)
    // The text may have been replaced by a shorter one since the search.
    if (whole === undefined || !hasCodePoints(whole.text, end)) return undefined
    const stored = (await loadPassages(queries, spaceId, idx - 1, 1)).find((each) => each.idx === idx)
    const vector = stored?.passages.find((each) => each.start === start && each.end === end)?.key
    if (vector?.length !== query.length) return undefined
    const text = Array.from(whole.text).slice(start, end).join('')
    const { id, at } = whole
    return { idx, id, at, text, vector, cosine: kernels.cosine(query, vector), whole: whole.text }
  })
  return (await Promise.all(found)).filter((part) => part !== undefined)
}

/** Merges whole texts and passages: of each text whichever is nearer, best first. */
function inPlaceOf(texts: readonly NearText[], parts: readonly NearText[]): NearText[] {
  const nearest = new Map(texts.map((one) => [one.idx, one]))
  for (const part of parts) {
    if (part.cosine > (nearest.get(part.idx)?.cosine ?? -1)) nearest.set(part.idx, part)
  }
  return [...nearest.values()]
    .sort((a, b) => b.cosine - a.cosine || a.idx - b.idx)
    .slice(0, parameters.belief.candidates)
}
