/**
 * What payloads that are in memory save: time of searches with a warm cache beside a cold one; how often replayed
 * routines find what they ask for in memory, with prefetch and without; and what noting a wish costs a request.
 *
 *   npm run bench -- prefetch [--requests 400] [--accesses 2000] [--seeds 1,2,3] [--postgres]
 */
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { measureLatency, searches, type Timed } from './prefetch/latency.ts'
import { measureNoting } from './prefetch/noting.ts'
import { budgetsMb, replay } from './prefetch/replay.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { digits, showSpread, spread, summarize } from './support/statistics.ts'
import { newDatabase } from './vectors/servers.ts'

const { values: options } = readOptions({
  options: {
    requests: { type: 'string', default: '400' },
    accesses: { type: 'string', default: '2000' },
    seeds: { type: 'string', default: '1,2,3' },
    postgres: { type: 'boolean', default: false },
  },
})

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

const latency = await latencyOn('embedded', undefined)
if (options.postgres) {
  const postgres = await startPostgres({ version: '18', durable: true })
  latency.push(...(await latencyOn('PostgreSQL', await newDatabase(postgres.url))))
  postgres.stop()
}
console.log(
  table(
    ['database', 'search', 'cold p50 ms', 'warm p50 ms', 'statements cold', 'statements warm'],
    latency.map(({ database, search, cold, warm }) => [
      database,
      search,
      ...[cold.p50, warm.p50, cold.statements, warm.statements].map(digits),
    ]),
  ),
)

const runs: Awaited<ReturnType<typeof replay>>[] = []
for (const seed of options.seeds.split(',').map(Number))
  runs.push(await replay(seed, Number(options.accesses)))
const hits = budgetsMb.map((budgetMb, i) => ({
  budgetMb,
  alone: spread(runs.map(({ conditions }) => conditions[i]?.alone ?? Number.NaN)),
  prefetching: spread(runs.map(({ conditions }) => conditions[i]?.prefetching ?? Number.NaN)),
  used: spread(runs.map(({ conditions }) => conditions[i]?.used ?? Number.NaN)),
}))
console.log(
  `\n${table(
    ['cache MB', 'hit rate without prefetch', 'with', 'of the payloads prefetched were used'],
    hits.map(({ budgetMb, alone, prefetching, used }) => [
      String(budgetMb / 2),
      ...[alone, prefetching, used].map(showSpread),
    ]),
  )}`,
)

const noting = await measureNoting()
console.log(
  `\nNoting a wish: ${digits(noting.noteUs)} µs; following one: ${digits(noting.followUs)} µs, off the requests' path`,
)
writeResult('prefetch', environment, { latency, hits, noting })

async function latencyOn(database: string, databaseUrl: string | undefined) {
  const measured = await measureLatency(databaseUrl, Number(options.requests))
  return searches.map((search) => {
    const { cold, warm } = measured[search]
    return { database, search, cold: figuresOf(cold), warm: figuresOf(warm) }
  })
}

function figuresOf({ samples, statements }: Timed) {
  return { ...summarize(samples), statements: statements / samples.length }
}
