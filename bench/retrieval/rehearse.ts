import type { Encoder } from '../../packages/engine/src/encoder/encoder.ts'
import { arrange } from '../../packages/engine/src/recall/arrange.ts'
import { type HeadWeights, startWeights } from '../../packages/engine/src/recall/heads.ts'
import { passagesOf } from '../../packages/engine/src/recall/passages.ts'
import { combineHeads, type Fusion } from '../../packages/engine/src/recall/score.ts'
import { viewsOf } from '../../packages/engine/src/recall/views.ts'
import { ownWordsFirst } from '../../packages/engine/src/recall/who-told.ts'
import { spaceless } from '../../packages/engine/src/recall/word-set.ts'
import { PatternSet } from '../../packages/memory/src/index/pattern-set.ts'
import type { Gathered } from '../../packages/memory/src/recall/score-candidates.ts'
import { type Embedded, RehearsedSpace } from '../recall/rehearsed-space.ts'
import { Bm25 } from '../support/bm25.ts'
import { dot } from '../support/dot.ts'
import { embedAll } from '../support/embedding-cache.ts'
import { listLength, rank } from '../support/evidence-recall.ts'
import { randomFrom } from '../support/random.ts'
import {
  allowedBy,
  inRandomOrder,
  type RetrievalQuery,
  type RetrievalSet,
  type RetrievalSpace,
} from './sets.ts'

/** Any time will do: nothing is learned. */
const now = Date.UTC(2026, 0, 1)

/** A query of a space that nobody has used, with what orders its candidates. */
export interface Rehearsed {
  query: RetrievalQuery
  space: RetrievalSpace
  gathered: Gathered
  /** Ids of the texts nearest by cosine, and by BM25 of whole words, best first. */
  nearest: string[]
  byWords: string[]
}

/** All that a set's spaces and queries need embeddings of, each once. */
export function textsOf(set: RetrievalSet): { stored: string[]; asked: string[] } {
  const stored = new Set<string>()
  const asked = new Set<string>()
  for (const { docs, queries } of set.spaces) {
    for (const { text } of docs)
      for (const part of [text, ...passagesOf(text).map((one) => one.text)]) stored.add(part)
    for (const { q } of queries) for (const { text } of viewsOf(q)) asked.add(text)
  }
  return { stored: [...stored], asked: [...asked] }
}

/** Embeddings of all that a set's spaces and queries need, by text. */
export async function embedSet(encoder: Encoder, set: RetrievalSet, cache: string | undefined) {
  const { stored, asked } = textsOf(set)
  const texts = [...new Set([...stored, ...asked])]
  const vectors = await embedAll(encoder, texts, cache)
  return new Map(texts.map((text, i) => [text, vectors[i] as Float32Array]))
}

export type Vectors = ReadonlyMap<string, Float32Array>

/**
 * Asks the queries of a space.
 * @param isShuffled whether its texts are stored in a random order
 * @param asked embeddings of queries, where these are others than those of texts
 */
export async function rehearse(
  given: RetrievalSpace,
  vectors: Vectors,
  isShuffled: boolean,
  asked: Vectors = vectors,
): Promise<Rehearsed[]> {
  const space = isShuffled ? inRandomOrder(given, randomFrom(1)) : given
  const vectorOf = (text: string, of = vectors) => of.get(text) as Float32Array
  const texts = space.docs.map(
    ({ text }): Embedded => ({
      text,
      vector: vectorOf(text),
      passages: passagesOf(text).map((part) => ({
        start: part.start,
        end: part.end,
        key: vectorOf(part.text),
      })),
    }),
  )
  const rehearsed = await RehearsedSpace.of(texts, now)
  const words = new Bm25(space.docs.map(({ text }) => spaced(text)))
  const found: Rehearsed[] = []
  for (const query of space.queries) {
    const among = allowedBy(space, query)
    const vector = vectorOf(query.q, asked)
    const views = viewsOf(query.q).map((view) => ({ ...view, vector: vectorOf(view.text, asked) }))
    const gathered = await rehearsed.gather(
      { text: query.q, vector, views },
      among && PatternSet.of([...among]),
    )
    if (gathered === undefined) continue
    const ranked = (scores: ArrayLike<number>, isFound: (score: number) => boolean) =>
      rank(scores)
        .filter((idx) => (among?.has(idx) ?? true) && isFound(scores[idx] as number))
        .slice(0, listLength)
        .map((idx) => space.docs[idx]?.id as string)
    found.push({
      query,
      space,
      gathered,
      nearest: ranked(
        Float64Array.from(texts, (text) => dot(text.vector, vector)),
        () => true,
      ),
      byWords: ranked(words.scores(spaced(query.q)), (score) => score > 0),
    })
  }
  return found
}

/** What recall answers, as the service arranges it. */
export function recalled(
  { gathered, space, query }: Rehearsed,
  fusion?: Fusion,
  weights: HeadWeights = startWeights,
): string[] {
  const scored = combineHeads(gathered.candidates, gathered.heads, weights, fusion)
  const texts = scored
    .slice(0, 2 * listLength)
    .map(({ idx, cosine, score }) => ({ idx, cosine, score, text: space.docs[idx]?.text as string, at: now }))
  return arrange(
    ownWordsFirst(texts, query.q, () => undefined),
    query.q,
  )
    .texts.slice(0, listLength)
    .map(({ idx }) => space.docs[idx]?.id as string)
}

const spacelessRun = new RegExp(`[${spaceless}]+`, 'gu')

/** Scripts without white space between words as pairs of characters, as words. */
const spaced = (text: string): string =>
  text.replaceAll(spacelessRun, (run) => {
    const characters = [...run]
    const pairs = characters.slice(1).map((character, i) => `${characters[i]}${character}`)
    return ` ${(pairs.length === 0 ? characters : pairs).join(' ')} `
  })
