import { expect } from 'vitest'
import type { Client } from '../../support/client.ts'
import type { Answer } from '../../support/requests.ts'

/** What a vector query answers, with its numbers as float32. */
export interface Found {
  value: number[]
  confidence: number
  pathway: string
  pattern_id: string
}

const expectSuccess = (answer: Answer): Answer => {
  expect(answer.body, `status ${answer.status}`).toBeDefined()
  expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBe(200)
  return answer
}

/** Stores a key and its value, or the key as its own value. @returns its id. */
export async function storeVector(
  client: Client,
  key: readonly number[],
  value: readonly number[] = key,
  rest: object = {},
): Promise<string> {
  const answer = await client.post('/v1/memory/store', { key, value, ...rest })
  return expectSuccess(answer).body.pattern_id
}

export async function batchStore(client: Client, patterns: readonly object[]): Promise<void> {
  const { body } = expectSuccess(await client.post('/v1/memory/batch/store', { patterns }))
  expect(body).toMatchObject({ stored: patterns.length, failed: 0 })
}

export async function query(
  client: Client,
  embedding: readonly number[],
  options: object = {},
): Promise<Found[]> {
  const answer = await client.post('/v1/memory/query', { embedding, ...options })
  return expectSuccess(answer).body.results.map(asFloat32)
}

/** A float32 is written in as few digits as tell it from its neighbours; read back, it is the same float32. */
export const asFloat32 = (found: Found): Found => ({
  ...found,
  value: found.value.map((number) => Math.fround(number)),
})

export async function getVector(
  client: Client,
  idx: number,
): Promise<{ key: number[]; value: number[]; metadata: object | null }> {
  const { body } = expectSuccess(await client.get(`/v1/memory/pattern/${idx}`))
  const float32 = (numbers: number[]) => numbers.map((number) => Math.fround(number))
  return { ...body, key: float32(body.key), value: float32(body.value) }
}

export const put = (client: Client, body: unknown): Promise<Answer> =>
  client.request('PUT', '/v1/memory/pattern', body)

export const remove = (client: Client, key: unknown): Promise<Answer> =>
  client.delete('/v1/memory/pattern', key)
