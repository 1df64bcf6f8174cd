import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Conversations = z.array(
  z.object({
    conversation: z.string(),
    turns: z.array(
      z.object({ id: z.string(), speaker: z.string(), text: z.string(), caption: z.string().nullable() }),
    ),
    questions: z.array(
      z.object({ question: z.string(), category: z.string(), evidence: z.array(z.string()).min(1) }),
    ),
  }),
)

export interface Turn {
  id: string
  text: string
}

export interface Question {
  text: string
  category: string
  /** Ids of the turns that answer the question, each once. */
  evidence: string[]
}

export interface Conversation {
  name: string
  turns: Turn[]
  questions: Question[]
}

/**
 * Reads LoCoMo conversations as the bench's README describes them. A turn's text is
 * `speaker: text [shares caption]`; evidence that names no turn is left out, and a question without any
 * other evidence too.
 */
export function readConversations(path: string): Conversation[] {
  return Conversations.parse(JSON.parse(readFileSync(path, 'utf8'))).map(
    ({ conversation, turns, questions }) => {
      const known = new Set(turns.map((turn) => turn.id))
      return {
        name: conversation,
        turns: turns.map(({ id, speaker, text, caption }) => ({
          id,
          text: `${speaker}: ${text}${caption ? ` [shares ${caption}]` : ''}`,
        })),
        questions: questions
          .map(({ question, category, evidence }) => ({
            text: question,
            category,
            evidence: [...new Set(evidence)].filter((id) => known.has(id)),
          }))
          .filter(({ evidence }) => evidence.length > 0),
      }
    },
  )
}

/** Names the file a result was measured on. */
export const fileHash = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex')
