import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../support/client.ts'
import { timed } from '../support/load.ts'
import { newFolder, removeFolder, startServer } from '../support/server.ts'
import { type Spread, spread } from '../support/statistics.ts'
import { Mixture } from '../vectors/mixture.ts'
import { dimensions } from './data.ts'

const storedAtOnce = 1_000

/** How long the first search of a start takes, and the start. */
export interface Start {
  /** From the start of the process to the first 200 of /readyz. */
  readyMs: Spread
  /** From sending the first search to its answer. */
  firstSearchMs: Spread
  secondSearchMs: Spread
}

export interface StartUp {
  patterns: number
  fromSnapshot: Start
  fromDatabase: Start
}

/** Restarts of the service with the embedded database on a space of `count` vectors, with its files and without. */
export async function measureStartUp(count: number, rounds: number): Promise<StartUp> {
  const dataDir = newFolder()
  try {
    await fill(dataDir, count)
    // The first start after the stores makes the snapshot, when it ends.
    const fromDatabase: Record<keyof Start, number[]> = { readyMs: [], firstSearchMs: [], secondSearchMs: [] }
    const fromSnapshot: Record<keyof Start, number[]> = { readyMs: [], firstSearchMs: [], secondSearchMs: [] }
    for (let round = 0; round < rounds; round++) {
      rmSync(join(dataDir, 'index'), { recursive: true, force: true })
      await restart(dataDir, count, fromDatabase)
      await restart(dataDir, count, fromSnapshot)
    }
    return { patterns: count, fromDatabase: spreads(fromDatabase), fromSnapshot: spreads(fromSnapshot) }
  } finally {
    removeFolder(dataDir)
  }
}

function spreads(samples: Record<keyof Start, number[]>): Start {
  return {
    readyMs: spread(samples.readyMs),
    firstSearchMs: spread(samples.firstSearchMs),
    secondSearchMs: spread(samples.secondSearchMs),
  }
}

async function fill(dataDir: string, count: number): Promise<void> {
  const server = await startServer({ dataDir })
  const connection = await server.connect()
  const source = new Mixture(dimensions, Math.max(1, Math.round(count / 100)), 1)
  for (let first = 0; first < count; first += storedAtOnce) {
    const patterns = Array.from({ length: Math.min(storedAtOnce, count - first) }, (_, i) => ({
      key: Array.from(source.next()),
      value: [first + i],
    }))
    await connection.json('POST', '/v1/memory/batch/store', { patterns })
  }
  connection.close()
  await server.stop()
}

async function restart(
  dataDir: string,
  count: number,
  samples: Record<keyof Start, number[]>,
): Promise<void> {
  const server = await startServer({ dataDir })
  const connection = await server.connect()
  const source = new Mixture(dimensions, Math.max(1, Math.round(count / 100)), 1)
  samples.readyMs.push(server.readyMs)
  samples.firstSearchMs.push(await timed(() => search(connection, source.next())))
  samples.secondSearchMs.push(await timed(() => search(connection, source.next())))
  connection.close()
  await server.stop()
}

/** The vector is the first that was stored with this seed, and so on: it must be found. */
async function search(connection: Connection, vector: Float32Array): Promise<void> {
  const { results } = await connection.json<{ results: { confidence: number }[] }>(
    'POST',
    '/v1/memory/query',
    {
      embedding: Array.from(vector),
      top_k: 10,
    },
  )
  if ((results[0]?.confidence ?? 0) < 0.999) throw new Error('A stored vector was not found')
}
