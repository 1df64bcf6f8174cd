/**
 * What a filter costs: vector queries among patterns of 1,000 users over HTTP, restricted to a user, to half of
 * the space, by two fields, by a range and by what nothing has, beside the same without a filter; and, where its packages
 * are given, Chroma's `where` in the same run.
 *
 *   npm run bench -- filters [--sizes 100000] [--queries 300] [--rounds 3] [--python VENV/bin/python]
 */
import { setTimeout as delay } from 'node:timers/promises'
import { readOptions } from '../scripts/read-options.ts'
import { chromaWithMetadata, type Filtered, filterNames, serviceWithMetadata } from './filters/servers.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { timed } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { digits, quantile } from './support/statistics.ts'
import { Mixture } from './vectors/mixture.ts'

const { values: options } = readOptions({
  options: {
    sizes: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
    python: { type: 'string' },
  },
})
const dimensions = 384
const storedAtOnce = 2_500
/** Left alone before it is asked, a server brings what was stored into order. */
const settleMs = 15_000
const warmUp = 500

interface Figures {
  server: string
  patterns: number
  storedPerSecond: number
  /** Of the first filter, which has the metadata read, in ms. */
  firstFilterMs: number
  /** Memory of the process before the first filter and after, in MB. */
  memoryBeforeMb: number
  memoryAfterMb: number
  /** p50 in ms by filter, a median over the rounds. */
  p50: Record<string, number>
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const figures: Figures[] = []
for (const patterns of options.sizes.split(',').map(Number)) {
  figures.push(await measure(await serviceWithMetadata(), patterns))
  if (options.python !== undefined)
    figures.push(await measure(await chromaWithMetadata(options.python), patterns))
}
console.log(
  table(
    [
      'server',
      'patterns',
      'stored a second',
      'first filter ms',
      ...filterNames.map((name) => `${name}, p50 ms`),
    ],
    figures.map(({ server, patterns, storedPerSecond, firstFilterMs, p50 }) => [
      server,
      String(patterns),
      digits(storedPerSecond),
      digits(firstFilterMs),
      ...filterNames.map((name) => digits(p50[name] ?? Number.NaN)),
    ]),
  ),
)
writeResult('filters', environment, { dimensions, figures })

async function measure(server: Filtered, patterns: number): Promise<Figures> {
  try {
    const mixture = new Mixture(dimensions, Math.ceil(patterns / 100), patterns)
    const connection = await server.connect()
    const storeMs = await timed(async () => {
      for (let first = 0; first < patterns; first += storedAtOnce) {
        const count = Math.min(storedAtOnce, patterns - first)
        await server.store(
          connection,
          first,
          Array.from({ length: count }, () => mixture.next()),
        )
      }
    })
    await delay(settleMs)
    const ask = (name: string) => timed(() => server.query(connection, mixture.next(), name))
    for (let i = 0; i < warmUp; i++) await ask('none')
    const before = server.memory().now
    const firstFilterMs = await ask('one user')
    const after = server.memory().now
    const rounds: Record<string, number>[] = []
    for (let round = 0; round < Number(options.rounds); round++) {
      const samples = new Map<string, number[]>(filterNames.map((name) => [name, []]))
      // Taken by turns, so that whatever else the machine does meets all alike.
      for (let i = 0; i < Number(options.queries); i++) {
        for (const name of filterNames) samples.get(name)?.push(await ask(name))
      }
      rounds.push(Object.fromEntries(Array.from(samples, ([name, ms]) => [name, quantile(ms, 0.5)])))
    }
    const p50 = Object.fromEntries(
      filterNames.map((name) => [
        name,
        quantile(
          rounds.map((round) => round[name] as number),
          0.5,
        ),
      ]),
    )
    connection.close()
    const storedPerSecond = (1_000 * patterns) / storeMs
    return {
      server: server.name,
      patterns,
      storedPerSecond,
      firstFilterMs,
      memoryBeforeMb: before,
      memoryAfterMb: after,
      p50,
    }
  } finally {
    await server.stop()
  }
}
