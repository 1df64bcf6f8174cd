import { MemoryClient, type MemoryClientOptions } from 'memory-service-sdk'
import type { TestServer } from '../support/server.ts'
import { type ScriptedServer, type Step, startScriptedServer } from './scripted-server.ts'

export interface Bench extends AsyncDisposable {
  server: ScriptedServer
  client: MemoryClient
  /** What the client would have waited for, in ms. */
  waits: number[]
}

export const apiKey = 'mk_test_0123456789'

/** A client of a scripted server, which does not really wait. */
export async function newBench(steps: [Step, ...Step[]], options?: MemoryClientOptions): Promise<Bench> {
  const server = await startScriptedServer(...steps)
  const waits: number[] = []
  const client = new MemoryClient({
    ...(options?.accessToken === undefined ? { apiKey } : {}),
    baseUrl: server.url,
    wait: async (ms) => void waits.push(ms),
    ...options,
  })
  return { server, client, waits, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** What a call rejects with; fails where it does not. */
export async function rejection(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('The call was expected to reject.')
    },
    (error: unknown) => error,
  )
}

/** The client of an organization of its own. */
export async function newMemoryOf(server: TestServer): Promise<MemoryClient> {
  const { key } = await server.newClient()
  return new MemoryClient({ apiKey: key, baseUrl: server.url })
}

export const stats = { total_patterns: 1, embedding_dim: 384, storage_bytes: 10 }
