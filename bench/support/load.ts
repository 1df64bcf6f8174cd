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
