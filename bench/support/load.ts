import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from './client.ts'

/** What a closed loop of requests did. */
export interface LoadResult {
  samplesMs: number[]
  perSecond: number
}

/** The time of one run in ms. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** Runs all requests, each connection taking the next one as soon as its last is answered. */
export async function closedLoop<T>(
  connections: readonly Connection[],
  items: readonly T[],
  request: (connection: Connection, item: T) => Promise<unknown>,
): Promise<LoadResult> {
  const samplesMs: number[] = []
  const waiting = items.values()
  const started = performance.now()
  await Promise.all(
    connections.map(async (connection) => {
      // One iterator for all connections, so each item is taken once.
      for (const item of waiting) samplesMs.push(await timed(() => request(connection, item)))
    }),
  )
  return { samplesMs, perSecond: (1000 * items.length) / (performance.now() - started) }
}

/** A request, when it was due, and how long after that it was answered. */
export interface Timed {
  dueMs: number
  ms: number
}

/**
 * Sends requests at fixed times, whatever comes of those before: each takes a free connection, or waits for one, and its
 * time counts from when it was due.
 */
export async function openLoop(
  connections: readonly Connection[],
  { perSecond, count }: { perSecond: number; count: number },
  request: (connection: Connection, n: number) => Promise<unknown>,
): Promise<Timed[]> {
  const free = [...connections]
  const waiting: ((connection: Connection) => void)[] = []
  const running: Promise<Timed>[] = []
  const started = performance.now()
  const send = async (n: number, dueMs: number): Promise<Timed> => {
    const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)))
    try {
      await request(connection, n)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else next(connection)
    }
    return { dueMs, ms: performance.now() - started - dueMs }
  }
  for (let n = 0; n < count; ) {
    const now = performance.now() - started
    for (; n < count && (1_000 * n) / perSecond <= now; n++) running.push(send(n, (1_000 * n) / perSecond))
    await delay(Math.max(1, (1_000 * n) / perSecond - now))
  }
  return Promise.all(running)
}
