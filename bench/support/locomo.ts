import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Conversations = z.array(
  z.object({
    conversation: z.string(),
    turns: z.array(
      z.object({
        id: z.string(),
        date: z.string().optional(),
        speaker: z.string(),
        text: z.string(),
        caption: z.string().nullable(),
      }),
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

/** When each turn of each conversation was said, in ms since 1970, such as "1:56 pm on 8 May, 2023". */
export function readTurnTimes(path: string): number[][] {
  return Conversations.parse(JSON.parse(readFileSync(path, 'utf8'))).map(({ turns }) =>
    turns.map(({ id, date = '' }) => {
      const [, hour, minute, half, day] = /^(\d+):(\d+) (am|pm) on (.+)$/.exec(date) ?? []
      const minutes = ((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minute)
      const time = Date.parse(`${day} UTC`) + minutes * 60_000
      if (Number.isNaN(time)) throw new Error(`turn ${id} has no date: ${date}`)
      return time
    }),
  )
}

/** Names the file a result was measured on. */
export const fileHash = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex')
