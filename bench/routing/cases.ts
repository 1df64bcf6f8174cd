import { openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { inverseTemperature, relax } from '../../packages/engine/src/energy.ts'
import { parameters } from '../../packages/engine/src/parameters.ts'
import { unknownReliability } from '../../packages/engine/src/reliability.ts'
import { type Pathway, type PathwayView, pathways } from '../../packages/engine/src/routing.ts'
import { embedAll } from '../support/embedding-cache.ts'
import { rank } from '../support/evidence-recall.ts'
import { readConversations } from '../support/locomo.ts'
import { Attention } from './attention.ts'
import { type Asked, queriesOf, type Space } from './queries.ts'

/** What every pathway makes of one query. */
export interface Case {
  conversation: string
  kind: Asked['kind']
  views: Record<Pathway, PathwayView>
  /** Which of the candidates are what was asked for. */
  wanted: boolean[]
  /** 1 / rank of the first of them in the pathway's own order of the space; 0 where it is not among 10. */
  reciprocalRanks: Record<Pathway, number>
}

/** The cases of LoCoMo conversations, each in a space of its own. @param cache file that keeps embeddings between runs */
export async function readCases(dataPath: string, cache: string | undefined): Promise<Case[]> {
  const encoder = await openEncoder(new URL('../../models', import.meta.url).pathname)
  const conversations = readConversations(dataPath)
  const texts = conversations.flatMap(({ turns, questions }) =>
    [...turns, ...questions].map(({ text }) => text),
  )
  const vectors = (await embedAll(encoder, texts, cache)).values()
  await encoder.close()
  const next = (count: number) => Array.from({ length: count }, () => vectors.next().value as Float32Array)
  return conversations.flatMap((conversation) => {
    const space = { conversation, keys: next(conversation.turns.length) }
    const asked = next(conversation.questions.length)
    const attention = new Attention(
      space.keys,
      conversation.turns.map(({ text }) => text),
    )
    return queriesOf(space, asked).map((query) => toCase(space, attention, query))
  })
}

function toCase({ conversation, keys }: Space, attention: Attention, query: Asked): Case {
  const cosines = Float64Array.from(keys, (key) => cosine(key, query.vector))
  const scores = {
    exact: cosines,
    energy: energies(keys, rank(cosines), query.vector),
    attention: attention.scores(query.vector, query.text),
  }
  const { candidates, typicalMs } = parameters.routing
  const best = (pathway: Pathway) => rank(scores[pathway]).slice(0, candidates)
  const compared = [...new Set([...best('exact'), ...best('attention')])]
  const among = (all: Float64Array) => Float64Array.from(compared, (idx) => all[idx] as number)
  return {
    conversation: conversation.name,
    kind: query.kind,
    wanted: compared.map((idx) => query.wanted.has(idx)),
    views: forEach((pathway) => ({
      scores: among(scores[pathway]),
      cosines: among(cosines),
      reliability: unknownReliability,
      costMs: typicalMs[pathway],
    })),
    reciprocalRanks: forEach((pathway) => {
      const place = rank(scores[pathway])
        .slice(0, 10)
        .findIndex((idx) => query.wanted.has(idx))
      return place === -1 ? 0 : 1 / (place + 1)
    }),
  }
}

const forEach = <T>(make: (pathway: Pathway) => T): Record<Pathway, T> =>
  Object.fromEntries(pathways.map((pathway) => [pathway, make(pathway)])) as Record<Pathway, T>

/** Cosines with the state that the query settles in, among the patterns nearest to it. */
function energies(
  keys: readonly Float32Array[],
  nearest: readonly number[],
  query: Float32Array,
): Float64Array {
  const candidates = nearest.slice(0, parameters.energy.candidates)
  const values = Float32Array.from(candidates.flatMap((idx) => [...(keys[idx] as Float32Array)]))
  const inverseNorms = new Float64Array(candidates.length).fill(1)
  const { state } = relax(values, inverseNorms, query, { beta: inverseTemperature(keys.length) })
  return Float64Array.from(keys, (key) => cosine(key, state))
}

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0
  for (let i = 0; i < a.length; i++) product += (a[i] as number) * (b[i] as number)
  return Math.min(1, Math.max(-1, product))
}
