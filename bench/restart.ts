/**
 * What a space of many vectors answers after a restart: nothing but the index's snapshot is in memory then, and values
 * and metadata are read as they are found.
 *
 *   npm run bench -- restart [--patterns 1000000] [--dimensions 128] [--seconds 30] [--cold] [--postgres]
 *
 * --cold restarts it once more when the system has forgotten the files that it has read (as root, on Linux).
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'
import { digits, quantile } from './support/statistics.ts'
import { Mixture } from './vectors/mixture.ts'
import { newDatabase } from './vectors/servers.ts'

const { values: options } = readOptions({
  options: {
    patterns: { type: 'string', default: '1000000' },
    dimensions: { type: 'string', default: '128' },
    seconds: { type: 'string', default: '30' },
    cold: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
})
const patterns = Number(options.patterns)
const dimensions = Number(options.dimensions)
const batch = 5_000
const spanS = 5
/** For a thousand patterns, with time to spare. */
const trainingMsEach = 120
/** Between two queries, so that the service also does what it does by itself. */
const pauseMs = 10

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const mixture = new Mixture(dimensions, 1_000, 1)
const dataDir = newFolder()
try {
  const databaseUrl = postgres && (await newDatabase(postgres.url))
  const filling = await startServer({ dataDir, databaseUrl })
  const storing = await filling.connect()
  const began = performance.now()
  for (let first = 0; first < patterns; first += batch) {
    await storing.json('POST', '/v1/memory/batch/store', {
      patterns: Array.from({ length: Math.min(batch, patterns - first) }, (_, i) => ({
        key: Array.from(mixture.next()),
        value: [first + i],
      })),
    })
  }
  const storeS = (performance.now() - began) / 1_000
  console.log(`${patterns} patterns of ${dimensions} numbers stored in ${digits(storeS)} s`)
  // The index trains its inverted lists by itself, a million rows in about a minute, and saves them when the service stops.
  await delay((trainingMsEach * patterns) / 1_000)
  storing.close()
  await filling.stop()
  const restarts = []
  for (const cold of options.cold ? [false, true] : [false]) {
    if (cold) {
      spawnSync('sync')
      writeFileSync('/proc/sys/vm/drop_caches', '3')
    }
    restarts.push({ cold, ...(await askAfterStart(databaseUrl)) })
  }
  console.log(
    table(
      [
        'files in memory',
        'ready ms',
        'first query ms',
        'seconds after the start',
        'queries',
        'p50 ms',
        'p95',
        'max',
      ],
      restarts.flatMap(({ cold, readyMs, firstMs, figures }) =>
        figures.map(({ fromS, queries, p50, p95, max }) => [
          cold ? 'no' : 'yes',
          ...[readyMs, firstMs].map(digits),
          `${fromS} to ${fromS + spanS}`,
          String(queries),
          ...[p50, p95, max].map(digits),
        ]),
      ),
    ),
  )
  writeResult('restart', environment, {
    patterns,
    dimensions,
    database: options.postgres ? 'postgres' : 'embedded',
    storeS,
    restarts,
  })
} finally {
  removeFolder(dataDir)
  await postgres?.stop()
}

/** Starts the service and asks it, each time for another vector. */
async function askAfterStart(databaseUrl: string | undefined) {
  const server = await startServer({ dataDir, databaseUrl })
  const connection = await server.connect()
  const samples: { atS: number; ms: number }[] = []
  const start = performance.now()
  for (let atS = 0; atS < Number(options.seconds); atS = (performance.now() - start) / 1_000) {
    const asked = performance.now()
    await connection.json('POST', '/v1/memory/query', { embedding: Array.from(mixture.next()), top_k: 10 })
    samples.push({ atS, ms: performance.now() - asked })
    await delay(pauseMs)
  }
  const figures = Array.from({ length: Number(options.seconds) / spanS }, (_, i) => {
    const ms = samples.filter(({ atS }) => Math.floor(atS / spanS) === i).map((one) => one.ms)
    return {
      fromS: i * spanS,
      queries: ms.length,
      p50: quantile(ms, 0.5),
      p95: quantile(ms, 0.95),
      max: Math.max(...ms),
    }
  })
  const residentMb = server.memory().now
  connection.close()
  await server.stop()
  return { readyMs: server.readyMs, firstMs: samples[0]?.ms ?? Number.NaN, residentMb, figures }
}
