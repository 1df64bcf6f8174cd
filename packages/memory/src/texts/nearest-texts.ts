import { kernels } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import { hasCodePoints } from '@memory/shared/catalogue/fields'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { bitsOf } from '../index/bits.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { loadPassages } from '../lexical/passage-store.ts'
import type { SpaceTexts } from '../lexical/text-cache.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { type NearPassage, searchPassages } from '../recall/search-passages.ts'
import { searchTexts } from './search-texts.ts'

const { candidates: partsMax, evidenceMin } = parameters.explain

/** A stored text and its embedding, or a passage of a long one and that of the passage. */
export interface NearText {
  idx: number
  id: string
  text: string
  vector: Float32Array
  /** With the query. */
  cosine: number
  /** The text that `text` is a passage of; undefined where it is the whole. */
  whole?: string | undefined
}

/** The nearest texts (of `among`, where it is given), best first, as many as belief compares; one that is deleted meanwhile is left out. */
export async function findNearestTexts(
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
  const shard = index.shard(context.compute.dimensions)
  if (labels.length === 0 || shard === undefined) return []
  const [keys, payloads] = await Promise.all([
    findShardKeys(context.queries, caller.spaceId, shard, labels),
    context.payloads.find(caller.spaceId, index, labels, { value: false }),
  ])
  const found = Array.from(labels, (idx, i) => {
    const vector = keys.get(idx)
    const payload = payloads.get(idx)
    if (vector === undefined || payload?.text == null) return undefined
    return { idx, id: payload.id, text: payload.text, vector, cosine: scores[i] as number }
  })
  return found.filter((candidate) => candidate !== undefined)
}

/** The nearest texts, and how near the nearest is as a whole; undefined where there is none. */
export interface NearParts {
  texts: NearText[]
  nearestWhole: number | undefined
}

/**
 * As `findNearestTexts`, where the nearest passage of a long text stands for it if it is nearer: the whole of it is about so
 * much that it is near to no question about any of that.
 */
export async function findNearestParts(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  query: Float32Array,
  among?: PatternSet,
): Promise<NearParts> {
  const [whole, passages] = await Promise.all([
    findNearestTexts(context, caller, index, query, among),
    passagesOfSpace(context, caller, index).then((held) =>
      among?.count === 0
        ? new Map<number, NearPassage>()
        : searchPassages(context.compute, caller, held, query, among?.bits),
    ),
  ])
  const known = new Map(whole.map((one) => [one.idx, one]))
  const further = nearerOf(passages, known).filter(([idx]) => !known.has(idx))
  const payloads = await context.payloads.find(
    caller.spaceId,
    index,
    further.map(([idx]) => idx),
    { value: false },
  )
  const longTexts = Array.from(payloads, ([idx, { id, text }]) => ({ idx, id, text, cosine: -1 })).filter(
    isText,
  )
  const parts = await findParts(context, caller, query, [...whole, ...longTexts], passages)
  return { texts: inPlaceOf(whole, parts), nearestWhole: whole[0]?.cosine }
}

/**
 * Puts into the place of texts of another time their nearest passages where these are nearer. Only passages of now are kept,
 * so those texts stay whole that have another wording by now, or are gone.
 */
export async function takeNearestParts(
  context: MemoryContext,
  caller: Caller,
  query: Float32Array,
  texts: readonly NearText[],
): Promise<NearText[]> {
  const index = await context.spaces.get(caller.spaceId, caller.spaceVersion)
  const indexes = texts.map(({ idx }) => idx)
  const [held, payloads] = await Promise.all([
    passagesOfSpace(context, caller, index),
    context.payloads.find(caller.spaceId, index, indexes, { value: false }),
  ])
  const unchanged = texts.filter(({ idx, text }) => payloads.get(idx)?.text === text && held.has(idx))
  if (unchanged.length === 0) return [...texts]
  const allowed = bitsOf(unchanged.map(({ idx }) => idx))
  const passages = await searchPassages(context.compute, caller, held, query, allowed)
  return inPlaceOf(texts, await findParts(context, caller, query, unchanged, passages))
}

/** Passages of the encoder that the keys are of: where one was read later, of that version. */
async function passagesOfSpace(
  { texts }: MemoryContext,
  { spaceId, spaceVersion }: Caller,
  { version }: SpaceIndex,
): Promise<SpaceTexts['passages']> {
  const held = await texts.get(spaceId, spaceVersion)
  return (held.version < version ? await texts.get(spaceId, version) : held).passages
}

type Whole = Omit<NearText, 'vector' | 'whole'>

const isText = (one: Omit<Whole, 'text'> & { text: string | null }): one is Whole => one.text !== null

/** The passages that may be evidence and are nearer than the wholes that are known, nearest first. */
function nearerOf(
  passages: ReadonlyMap<number, NearPassage>,
  wholes: ReadonlyMap<number, Pick<Whole, 'cosine'>>,
): [idx: number, passage: NearPassage][] {
  return Array.from(passages)
    .filter(([idx, { cosine }]) => cosine >= evidenceMin && cosine > (wholes.get(idx)?.cosine ?? -1))
    .sort(([, a], [, b]) => b.cosine - a.cosine)
    .slice(0, partsMax)
}

/** The nearest passages of texts with their own keys, by which their cosines are no estimates any more. */
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
    // A text that is changed at this moment may be another one already.
    if (whole === undefined || !hasCodePoints(whole.text, end)) return undefined
    const stored = (await loadPassages(queries, spaceId, idx - 1, 1)).find((each) => each.idx === idx)
    const vector = stored?.passages.find((each) => each.start === start && each.end === end)?.key
    if (vector?.length !== query.length) return undefined
    const text = Array.from(whole.text).slice(start, end).join('')
    return { idx, id: whole.id, text, vector, cosine: kernels.cosine(query, vector), whole: whole.text }
  })
  return (await Promise.all(found)).filter((part) => part !== undefined)
}

/** Texts and parts of some, each text once and as what is nearer of it, best first. */
function inPlaceOf(texts: readonly NearText[], parts: readonly NearText[]): NearText[] {
  const nearest = new Map(texts.map((one) => [one.idx, one]))
  for (const part of parts) {
    if (part.cosine > (nearest.get(part.idx)?.cosine ?? -1)) nearest.set(part.idx, part)
  }
  return [...nearest.values()]
    .sort((a, b) => b.cosine - a.cosine || a.idx - b.idx)
    .slice(0, parameters.belief.candidates)
}
