import { expect } from 'vitest'
import type { Client } from '../support/client.ts'

/** All patterns of a client's space, read page by page. */
export async function listPatterns(
  client: Client,
): Promise<{ text: string; pattern_id: string; access_count: number }[]> {
  const all = []
  for (let cursor = ''; ; ) {
    const { status, body } = await client.get(`/v1/memory/patterns?limit=200${cursor}`)
    expect(status).toBe(200)
    all.push(...body.patterns)
    if (body.next_cursor === null) return all
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}
