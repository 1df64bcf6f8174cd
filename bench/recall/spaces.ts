import { openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { embedAll } from '../support/embedding-cache.ts'
import type { Conversation, Question } from '../support/locomo.ts'
import type { Embedded } from './rehearsed-space.ts'

/** A question with its embedding, and the patterns that answer it. */
export interface Asked extends Embedded {
  question: Question
  /** Their idx, each once. */
  wanted: number[]
}

/** What one space holds and is asked. */
export interface SpaceCase {
  name: string
  turns: Embedded[]
  /** Of the turns, by idx: unique in the space. */
  ids: string[]
  questions: Asked[]
}

/**
 * One space a conversation, or all conversations one after the other in one space.
 * @param cache file that keeps embeddings between runs
 */
export async function readSpaces(
  conversations: readonly Conversation[],
  { together, cache }: { together: boolean; cache: string | undefined },
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
  return together ? [joined(spaces)] : spaces
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
