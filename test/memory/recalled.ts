import { expect } from 'vitest'
import type { Client } from '../support/client.ts'
import { newConformingClient } from '../support/conforms.ts'
import type { TestServer } from '../support/server.ts'

/** What recall answers. */
export interface Recalled {
  results: {
    text: string
    metadata: object
    similarity: number
    pattern_id: string
    passage?: { start: number; end: number }
    scores?: Record<string, number>
  }[]
  info: {
    pathway: string
    surprise: number
    candidates: number
    reranked: boolean
    head_weights: Record<string, number>
    lexical_hits: number
    co_access_boosted: number
    collapsed: number
    regime: string
    time?: { from: string; to: string; expression: string }
  }
}

export const path = '/v1/memory/text/recall'

/** What a client recalls; fails the test when it may not. */
export async function recall(
  client: Client,
  body: object,
  headers: Record<string, string> = {},
): Promise<Recalled> {
  const answer = await client.post(path, body, headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

export const textsOf = ({ results }: Recalled): string[] => results.map(({ text }) => text)

/** Texts that have nothing in common but their space. */
export const facts = [
  'Ada moved to Lisbon in May.',
  'The printer on the second floor is out of toner.',
  'Did you call the landlord about the heating?',
  'Yes, he sends somebody on Thursday.',
  'Grandmother’s birthday is on the ninth of July.',
  'Invoice RX-2209 was paid twice by mistake.',
]

/** A space of its own with texts in it. */
export async function newSpace(server: TestServer, texts: Parameters<Client['store']>[0] = facts) {
  const ada = await newConformingClient(server)
  return { ada, ids: await ada.store(texts) }
}
