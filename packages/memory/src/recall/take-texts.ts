import { fold } from '@memory/engine/lexical/tokenise'
import { parameters } from '@memory/engine/parameters'
import { type Arrangeable, arrange, type NameOfQuery, namedMax } from '@memory/engine/recall/arrange'
import type { Scored } from '@memory/engine/recall/score'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { Payload } from '../patterns/pattern-cache.ts'

/** A text of an answer. */
export interface TakenText<One = Scored> {
  scored: One
  payload: Payload & { text: string }
}

type Finding = Pick<MemoryContext, 'payloads'>

/** The first k of scored patterns that are texts and still there. */
export async function takeTexts<One extends { idx: number }>(
  context: Finding,
  spaceId: string,
  index: SpaceIndex,
  scored: readonly One[],
  k: number,
): Promise<TakenText<One>[]> {
  const taken: TakenText<One>[] = []
  for await (const texts of textsOf(context, spaceId, index, scored, k)) {
    taken.push(...texts)
    if (taken.length >= k) break
  }
  return taken.slice(0, k)
}

/**
 * The first k texts of scored patterns as `arrange` puts them, so that copies of one text take one place, and how many
 * copies were left out. Where the query names something, all of them are looked through for it.
 */
export async function arrangeTexts(
  context: Finding,
  spaceId: string,
  index: SpaceIndex,
  scored: readonly Scored[],
  { query, names, k }: { query: string; names: readonly NameOfQuery[]; k: number },
): Promise<{ taken: TakenText[]; collapsed: number }> {
  // What belongs before others may stand a little behind them.
  const wanted = k + parameters.recall.nearEqualPlaces
  const looked: Looked[] = []
  const further: Looked[] = []
  const different = new Set<string>()
  for await (const texts of textsOf(context, spaceId, index, scored, wanted)) {
    const isEnough = different.size >= wanted
    for (const { scored: one, payload } of texts) {
      const { text, at } = payload
      const { idx, cosine, score, time } = one
      const part = isEnough ? further : looked
      part.push({ scored: one, payload, idx, cosine, score, text, at, isOfTime: time > 0 })
      if (!isEnough) different.add(text)
    }
    if (different.size >= wanted && names.length === 0) break
  }
  const { texts, collapsed } = arrange([...looked, ...namedAmong(further, looked, names)], query, names)
  return { taken: texts.slice(0, k).map(({ scored: one, payload }) => ({ scored: one, payload })), collapsed }
}

type Looked = TakenText & Arrangeable

/** The texts further down that hold what a query names, where few do. */
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
 * Scored patterns that are texts and still there, in their order. Each round trip looks at twice as many as the last, so
 * that few are made where vectors or copies lie between the texts.
 * @param first how many the first round trip looks at
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
