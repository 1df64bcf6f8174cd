/**
 * Where the time of POST /v1/memory/query goes: the service's main thread, sampled by V8's profiler while one connection
 * asks, in microseconds a query by what they are for.
 *
 *   npm run bench -- vector-shares [--patterns 10000] [--queries 5000] [--rounds 3] [--connections 1] [--postgres]
 *
 * --together N asks N queries a request instead (POST /v1/memory/batch/retrieve), and writes no results.
 * --functions N also shows the N functions that take most.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../scripts/free-port.ts'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { closedLoop } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { digits, mean, quantile, type Spread, showSpread, spread } from './support/statistics.ts'
import { Profiler } from './vector-shares/profiler.ts'
import { type Category, categories, type Shares, sharesOf } from './vector-shares/shares.ts'
import { dimensions, k } from './vectors/data.ts'
import { Mixture } from './vectors/mixture.ts'
import { startService, type ValueKind } from './vectors/servers.ts'

const { values: options } = readOptions({
  options: {
    patterns: { type: 'string', default: '10000' },
    queries: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '1' },
    together: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
    functions: { type: 'string', default: '0' },
  },
})
const patterns = Number(options.patterns)
const together = Number(options.together)
const queriesEach = together * Math.ceil(Number(options.queries) / together)
const rounds = Number(options.rounds)
const storedAtOnce = 1_000
const kinds = ['number', 'vector'] as const satisfies ValueKind[]
/** Asked before the clock starts: code is compiled while it runs. */
const warmUpQueries = 6_000
/** Left alone before it is asked, the service brings what was stored into order. */
const settleMs = 15_000
/** Microseconds between two samples. */
const intervalUs = 200

/** Microseconds a query, over the rounds. */
interface Figures {
  kind: ValueKind
  /** From sending to the whole answer, medians of rounds without the profiler and with it. */
  p50: Spread
  profiledP50: Spread
  /** Processor time of the process, all threads, without the profiler. */
  processor: Spread
  /** What the main thread was busy, with the profiler. */
  busy: Spread
  shares: Record<Category, Spread>
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const figures: Figures[] = []
try {
  for (const kind of kinds) figures.push(await measure(kind))
} finally {
  postgres?.stop()
}
const [first] = figures as [Figures]
console.log(
  table(
    ['us a query', ...figures.map(({ kind }) => `values of one ${kind}`), 'share'],
    [
      ['p50', ...figures.map(({ p50 }) => showSpread(p50)), ''],
      ['p50 while profiled', ...figures.map(({ profiledP50 }) => showSpread(profiledP50)), ''],
      ['processor time, all threads', ...figures.map(({ processor }) => showSpread(processor)), ''],
      ['main thread busy, profiled', ...figures.map(({ busy }) => showSpread(busy)), '100 %'],
      ...categories.map((category) => [
        `  ${category}`,
        ...figures.map(({ shares }) => showSpread(shares[category])),
        `${digits((100 * first.shares[category].median) / first.busy.median)} %`,
      ]),
    ],
  ),
)
if (together === 1) {
  writeResult(postgres === undefined ? 'vector-shares' : 'vector-shares-postgresql', environment, {
    patterns,
    queries: queriesEach,
    rounds,
    connections: Number(options.connections),
    intervalUs,
    figures,
  })
}

async function measure(kind: ValueKind): Promise<Figures> {
  const port = await freePort()
  const server = await startService(kind, postgres?.url, { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })
  const mixture = new Mixture(dimensions, Math.ceil(patterns / 100), patterns)
  const take = (count: number) => Array.from({ length: count }, () => mixture.next())
  const toBodies = (count: number) =>
    together === 1
      ? take(count).map((vector) => server.queryBody(vector, k))
      : Array.from({ length: Math.ceil(count / together) }, () => server.batchBody(take(together), k))
  const connections = await Promise.all(
    Array.from({ length: Number(options.connections) }, () => server.connect()),
  )
  const [connection] = connections as [(typeof connections)[number]]
  for (let at = 0; at < patterns; at += storedAtOnce) {
    await server.store(connection, server.storeBody(at, take(Math.min(storedAtOnce, patterns - at))))
  }
  await delay(settleMs)
  const ask = (bodies: readonly Buffer[]) =>
    closedLoop(connections, bodies, (from, body) =>
      together === 1 ? server.query(from, body) : server.batchQuery(from, body),
    )
  const profiler = await Profiler.open(port, intervalUs)
  await ask(toBodies(warmUpQueries))
  const samples: { p50: number; profiledP50: number; processor: number; shares: Shares }[] = []
  for (let round = 0; round < rounds; round++) {
    // Written before the clock runs; no vector is asked twice.
    const [plain, profiled] = [toBodies(queriesEach), toBodies(queriesEach)]
    const before = server.processorMs()
    const p50 = quantile((await ask(plain)).samplesMs, 0.5)
    const processor = server.processorMs() - before
    let profiledP50 = Number.NaN
    const profile = await profiler.during(async () => {
      profiledP50 = quantile((await ask(profiled)).samplesMs, 0.5)
    })
    samples.push({
      p50: (1_000 * p50) / together,
      profiledP50: (1_000 * profiledP50) / together,
      processor: (1_000 * processor) / queriesEach,
      shares: sharesOf(profile),
    })
    console.error(`${kind}: round ${round + 1} of ${rounds}`)
  }
  showFunctions(kind, samples.at(-1)?.shares as Shares)
  for (const each of connections) each.close()
  profiler.close()
  await server.stop()
  const over = (read: (one: (typeof samples)[number]) => number) => spread(samples.map(read))
  const usOf = ({ byCategory }: Shares, category: Category) => byCategory[category] / queriesEach
  return {
    kind,
    p50: over(({ p50 }) => p50),
    profiledP50: over(({ profiledP50 }) => profiledP50),
    processor: over(({ processor }) => processor),
    busy: over(({ shares }) => categories.length * mean(categories.map((each) => usOf(shares, each)))),
    shares: Object.fromEntries(
      categories.map((category) => [category, over(({ shares }) => usOf(shares, category))]),
    ) as Record<Category, Spread>,
  }
}

function showFunctions(kind: ValueKind, { top }: Shares): void {
  const shown = top.slice(0, Number(options.functions))
  if (shown.length === 0) return
  console.log(
    `Last round, values of one ${kind}\n\n${table(
      ['function', 'for', 'us a query'],
      shown.map(({ name, category, us }) => [name, category, digits(us / queriesEach)]),
    )}\n`,
  )
}
