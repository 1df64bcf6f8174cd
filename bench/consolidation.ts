/**
 * Sleep, exploration and the search for spurious attractors: time, memory, what they do to searches meanwhile, and
 * whether spurious attractors come or go.
 *
 *   npm run bench -- consolidation [--sizes 1000,10000] [--rounds 3]
 */
import { readOptions } from '../scripts/read-options.ts'
import type { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, type Server, startServer } from './support/server.ts'
import { digits, quantile, type Spread, showSpread, spread } from './support/statistics.ts'
import { Mixture } from './vectors/mixture.ts'

const { values: options } = readOptions({
  options: { sizes: { type: 'string', default: '1000,10000' }, rounds: { type: 'string', default: '3' } },
})
const dimensions = 384
const rounds = Number(options.rounds)
const batch = { batch_size: 20 }

interface Operation {
  name: string
  ms: Spread
  /** Vector queries that another connection sends meanwhile. */
  queryP50: number
  queryMax: number
}

interface Figures {
  patterns: number
  operations: Operation[]
  /** Resident memory in MB: before the first operation, and the most since the start. */
  memoryBefore: number
  memoryPeak: number
  spuriousBefore: number
  spuriousAfter: number
  pairsChecked: number
  compositions: number
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const figures: Figures[] = []
for (const size of options.sizes.split(',').map(Number)) {
  const folder = newFolder()
  const server = await startServer({ dataDir: folder })
  figures.push(await measure(server, size))
  await server.stop()
  removeFolder(folder)
}
console.log(
  table(
    ['patterns', 'operation', 'ms', 'a query meanwhile, p50 ms', 'greatest ms'],
    figures.flatMap(({ patterns, operations }) =>
      operations.map(({ name, ms, queryP50, queryMax }) => [
        patterns.toLocaleString('en'),
        name,
        showSpread(ms),
        digits(queryP50),
        digits(queryMax),
      ]),
    ),
  ),
)
console.log(
  `\n${table(
    ['patterns', 'MB before', 'MB at most', 'pairs checked', 'spurious rate before', 'after', 'compositions'],
    figures.map((each) => [
      each.patterns.toLocaleString('en'),
      each.memoryBefore.toFixed(0),
      each.memoryPeak.toFixed(0),
      String(each.pairsChecked),
      each.spuriousBefore.toFixed(4),
      each.spuriousAfter.toFixed(4),
      String(each.compositions),
    ]),
  )}`,
)
writeResult('consolidation', environment, { dimensions, rounds, batchSize: batch.batch_size, figures })

async function measure(server: Server, patterns: number): Promise<Figures> {
  const connection = await server.connect()
  const mixture = new Mixture(dimensions, Math.ceil(patterns / 100), patterns)
  for (let first = 0; first < patterns; first += 1_000) {
    const count = Math.min(1_000, patterns - first)
    const stored = Array.from({ length: count }, () => ({ key: [...mixture.next()], value: [1] }))
    await connection.json('POST', '/v1/memory/batch/store', { patterns: stored })
  }
  const probe = await server.connect()
  const embedding = [...mixture.next()]
  const query = () => probe.json('POST', '/v1/memory/query', { embedding, top_k: 10 })
  for (let i = 0; i < 20; i++) await query()
  const memoryBefore = server.memory().now
  const operations: Operation[] = []
  const time = async (name: string, times: number, work: () => Promise<unknown>) => {
    operations.push({ name, ...(await timed(times, work, query)) })
  }
  const detect = () =>
    connection.json<{ spurious_rate: number; total_checked: number }>(
      'POST',
      '/v1/memory/explore/detect-spurious',
    )
  const { spurious_rate: spuriousBefore, total_checked: pairsChecked } = await detect()
  await time('detect-spurious', rounds, detect)
  await time('suggestions', rounds, () => connection.json('GET', '/v1/memory/explore/suggestions'))
  await time('explore, 20 pairs', 10 * rounds, () => connection.json('POST', '/v1/memory/explore', batch))
  let compositions = 0
  await time('sleep, 20 patterns', rounds, async () => {
    compositions += await sleepOnce(connection)
  })
  const { spurious_rate: spuriousAfter } = await detect()
  const { peak: memoryPeak } = server.memory()
  for (const each of [connection, probe]) each.close()
  return {
    patterns,
    operations,
    memoryBefore,
    memoryPeak,
    spuriousBefore,
    spuriousAfter,
    pairsChecked,
    compositions,
  }
}

async function sleepOnce(connection: Connection): Promise<number> {
  const slept = await connection.json<{ compositions_discovered: number }>('POST', '/v1/memory/sleep', batch)
  return slept.compositions_discovered
}

/** Times `work` while another connection queries without a pause. */
async function timed(
  times: number,
  work: () => Promise<unknown>,
  query: () => Promise<unknown>,
): Promise<Omit<Operation, 'name'>> {
  const samples: number[] = []
  const queries: number[] = []
  let isDone = false
  const asking = (async () => {
    while (!isDone) {
      const started = performance.now()
      await query()
      queries.push(performance.now() - started)
    }
  })()
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    await work()
    samples.push(performance.now() - started)
  }
  isDone = true
  await asking
  return { ms: spread(samples), queryP50: quantile(queries, 0.5), queryMax: quantile(queries, 1) }
}
