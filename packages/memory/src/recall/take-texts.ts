import { fold } from '@memory/engine/lexical/tokenise'
import { parameters } from '@memory/engine/parameters'
import { type Arrangeable, arrange, namedMax } from '@memory/engine/recall/arrange'
import type { NameOfQuery } from '@memory/engine/recall/names-of-query'
import type { Scored } from '@memory/engine/recall/score'
import { ownWordsFirst } from '@memory/engine/recall/who-told'
import { foldText } from '@memory/engine/text-form'
import { beginLongAnswer } from '@memory/shared/platform/asker'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { Payload } from '../patterns/pattern-cache.ts'

/** A text of an answer, with its score and what the answer shows of it. */
export interface TakenText<One = Scored> {
  scored: One
  payload: Payload & { text: string }
}

type Finding = Pick<MemoryContext, 'payloads'>

/** The first k of the scored patterns that are texts and still exist. */
export async function takeTexts<One extends { idx: number }>(
  context: Finding,
  spaceId: string,
  index: SpaceIndex,
  scored: readonly One[],
  k: number,
): Promise<TakenText<One>[]> {
  const taken: TakenText<One>[] = []
  await beginLongAnswer(k)
  for await (const texts of textsOf(context, spaceId, index, scored, k)) {
    taken.push(...texts)
    if (taken.length >= k) break
  }
  return taken.slice(0, k)
}

/**
 * The first k texts after `arrange` has reordered the scored patterns and collapsed copies, and how many copies were left out. If
 * the query names identifiers, all scored patterns are searched for texts that hold them; else only the first few are read.
 */
export async function arrangeTexts(
  context: Finding,
  spaceId: string,
  index: SpaceIndex,
  scored: readonly Scored[],
  { query, names, k }: { query: string; names: readonly NameOfQuery[]; k: number },
): Promise<{ taken: TakenText[]; collapsed: number }> {
  // `arrange` may move up a text from a few places further down.
  const wanted = k + parameters.recall.nearEqualPlaces
  const looked: Looked[] = []
  const further: Looked[] = []
  const different = new Set<string>()
  await beginLongAnswer(k)
  for await (const texts of textsOf(context, spaceId, index, scored, wanted)) {
    const isEnough = different.size >= wanted
    for (const { scored: one, payload } of texts) {
      const { text, at } = payload
      const { idx, cosine, score, time } = one
      const part = isEnough ? further : looked
      part.push({ scored: one, payload, idx, cosine, score, text, at, isOfTime: time > 0 })
      if (!isEnough) different.add(foldText(text))
    }
    if (different.size >= wanted && names.length === 0) break
  }
  const found = [...ownWordsFirst(looked, query, roleOf), ...namedAmong(further, looked, names)]
  const { texts, collapsed } = arrange(found, query, names)
  return { taken: texts.slice(0, k).map(({ scored: one, payload }) => ({ scored: one, payload })), collapsed }
}

type Looked = TakenText & Arrangeable

/** Who said a text, as its metadata tell. */
function roleOf({ payload: { metadata } }: Looked): unknown {
  return metadata?.includes('"role"') ? (JSON.parse(metadata) as { role?: unknown }).role : undefined
}

/** Those of the texts further down that hold a name of the query which few texts hold. */
function namedAmong(
  further: readonly Looked[],
  looked: readonly Looked[],
  names: readonly NameOfQuery[],
): Looked[] {
  if (further.length === 0) return []
  const folded = [...looked, ...further].map((one) => fold(one.text))
  const named = new Set<number>()
  for (const { isIn } of names) {
    const holding = [...folded.keys()].filter((at) => isIn(folded[at] as string))
    const isTelling = new Set(holding.map((at) => folded[at])).size <= namedMax.texts
    if (isTelling) for (const at of holding) named.add(at - looked.length)
  }
  return further.filter((_, at) => named.has(at))
}

const isText = (payload: Payload): payload is Payload & { text: string } => payload.text !== null

/**
 * Reads the payloads of scored patterns in order, and yields those that are texts and still exist. Each round trip reads about
 * twice as many as the last, so that few are needed even if many patterns turn out to be vectors or copies.
 * @param first how many the first round trip reads
 */
async function* textsOf<One extends { idx: number }>(
  { payloads }: Finding,
  spaceId: string,
  index: SpaceIndex,
  scored: readonly One[],
  first: number,
): AsyncGenerator<TakenText<One>[]> {
  let looked = 0
  while (looked < scored.length) {
    const part = scored.slice(looked, 2 * looked + first)
    looked += part.length
    const found = await payloads.find(
      spaceId,
      index,
      part.map(({ idx }) => idx),
      { value: false },
    )
    const texts: TakenText<One>[] = []
    for (const one of part) {
      const payload = found.get(one.idx)
      if (payload !== undefined && isText(payload)) texts.push({ scored: one, payload })
    }
    yield texts
  }
}
