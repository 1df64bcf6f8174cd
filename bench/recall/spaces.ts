import { openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { embedAll } from '../support/embedding-cache.ts'
import type { Conversation, Question } from '../support/locomo.ts'
import type { Embedded } from './rehearsed-space.ts'

/** A question with its embedding, and the patterns that answer it. */
export interface Asked extends Embedded {
  question: Question
  /** Whose memories are asked alone; undefined: all. */
  subject?: string
  /** Their idx, each once. */
  wanted: number[]
}

/** A turn, and whose it is where a space has subjects. */
export interface Said extends Embedded {
  subject?: string
}

/** Where conversations are stored: each in its space, or all in one, one after the other, or in turn as those of many subjects. */
export type Arrangement = 'apart' | 'together' | 'interleaved'

/** What one space holds and is asked. */
export interface SpaceCase {
  name: string
  turns: Said[]
  /** Of the turns, by idx: unique in the space. */
  ids: string[]
  questions: Asked[]
}

/**
 * The spaces that hold conversations.
 * @param cache file that keeps embeddings between runs
 */
export async function readSpaces(
  conversations: readonly Conversation[],
  { arrangement, cache }: { arrangement: Arrangement; cache: string | undefined },
): Promise<SpaceCase[]> {
  const encoder = await openEncoder(new URL('../../models', import.meta.url).pathname)
  const texts = conversations.flatMap(({ turns, questions }) =>
    [...turns, ...questions].map(({ text }) => text),
  )
  const vectors = (await embedAll(encoder, texts, cache)).values()
  await encoder.close()
  const spaces = conversations.map(({ name, turns, questions }): SpaceCase => {
    const places = new Map(turns.map(({ id }, idx) => [id, idx]))
    return {
      name,
      ids: turns.map(({ id }) => id),
      turns: turns.map(({ text }) => ({ text, vector: vectors.next().value as Float32Array })),
      questions: questions.map((question) => ({
        text: question.text,
        vector: vectors.next().value as Float32Array,
        question,
        wanted: question.evidence.map((id) => places.get(id) as number),
      })),
    }
  })
  if (arrangement === 'interleaved') return [interleaved(spaces)]
  return arrangement === 'together' ? [joined(spaces)] : spaces
}

function joined(spaces: readonly SpaceCase[]): SpaceCase {
  const all: SpaceCase = { name: spaces.map(({ name }) => name).join('+'), turns: [], ids: [], questions: [] }
  for (const { name, turns, ids, questions } of spaces) {
    const first = all.turns.length
    all.turns.push(...turns)
    all.ids.push(...ids.map((id) => `${name}/${id}`))
    all.questions.push(
      ...questions.map((asked) => ({
        ...asked,
        question: { ...asked.question, evidence: asked.question.evidence.map((id) => `${name}/${id}`) },
        wanted: asked.wanted.map((idx) => first + idx),
      })),
    )
  }
  return all
}

/** One turn of each conversation after the other, as long as it has any: each is a subject's, whose questions ask of it alone. */
function interleaved(spaces: readonly SpaceCase[]): SpaceCase {
  const all: SpaceCase = { name: spaces.map(({ name }) => name).join('|'), turns: [], ids: [], questions: [] }
  const places = spaces.map((): number[] => [])
  const longest = Math.max(...spaces.map(({ turns }) => turns.length))
  for (let at = 0; at < longest; at++) {
    for (const [i, { name, turns, ids }] of spaces.entries()) {
      const turn = turns[at]
      if (turn === undefined) continue
      places[i]?.push(all.turns.length)
      all.turns.push({ ...turn, subject: name })
      all.ids.push(`${name}/${ids[at]}`)
    }
  }
  for (const [i, { name, questions }] of spaces.entries()) {
    for (const asked of questions) {
      all.questions.push({
        ...asked,
        subject: name,
        question: { ...asked.question, evidence: asked.question.evidence.map((id) => `${name}/${id}`) },
        wanted: asked.wanted.map((at) => places[i]?.[at] as number),
      })
    }
  }
  return all
}
