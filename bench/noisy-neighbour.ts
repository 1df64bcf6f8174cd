/**
 * What one organization that asks for much does to another: the other's text searches, vector queries, stores and lists,
 * alone and beside each kind of load.
 *
 *   npm run bench -- noisy-neighbour [--base OTHER_CHECKOUT] [--seconds 12] [--rate 20] [--loads 'long texts,sleep']
 *                                    [--threads 2] [--postgres]
 *
 * --base measures another checkout in the same run, the two taking turns with each load.
 */

import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { loads } from './noisy-neighbour/loads.ts'
import { type Probe, probes, type Samples } from './noisy-neighbour/prober.ts'
import { type Measuring, openSubject, type Subject } from './noisy-neighbour/subject.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { digits, quantile } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    base: { type: 'string' },
    seconds: { type: 'string', default: '12' },
    rate: { type: 'string', default: '20' },
    loads: { type: 'string', default: Object.keys(loads).join(',') },
    threads: { type: 'string' },
    postgres: { type: 'boolean', default: false },
  },
})
const names = options.loads.split(',').map((name) => name.trim())
const measuring: Measuring = {
  ms: 1_000 * Number(options.seconds),
  perSecond: Number(options.rate),
  settings: { ...(options.threads !== undefined && { MEMORY_POOL_THREADS: options.threads }) },
}

/** Times of one operation in ms, beside one load. */
interface Figures {
  checkout: string
  load: string
  operation: Probe
  p50: number
  p95: number
  max: number
  /** The p95 over the same operation's alone. */
  ratio: number
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const subjects = new Map<string, Subject>()
const figures: Figures[] = []
try {
  if (options.base !== undefined) {
    subjects.set('base', await openSubject(options.base, postgres?.url, measuring))
  }
  subjects.set('now', await openSubject(undefined, postgres?.url, measuring))
  const alone = new Map<string, Samples>()
  for (const [checkout, subject] of subjects) alone.set(checkout, await subject.measure(undefined))
  for (const [checkout, samples] of alone) add(checkout, 'alone', samples, samples)
  for (const load of names) {
    for (const [checkout, subject] of subjects) {
      add(checkout, load, await subject.measure(load), alone.get(checkout) as Samples)
      const answers = Object.entries(subject.answers).map(([status, count]) => `${count} x ${status}`)
      console.log(`${checkout}, ${load}: answered ${answers.join(', ') || 'nothing'}`)
    }
  }
} finally {
  for (const subject of subjects.values()) await subject.close()
  postgres?.stop()
}
const greatest = (load: string, checkout: string) =>
  Math.max(...figures.filter((f) => f.load === load && f.checkout === checkout).map((f) => f.ratio))
const shown = ['alone', ...names].flatMap((load) =>
  [...subjects.keys()].map((checkout) => [
    load,
    checkout,
    ...probes.map((operation) => {
      const one = figures.find((f) => f.load === load && f.checkout === checkout && f.operation === operation)
      return one === undefined ? '' : [one.p50, one.p95, one.max].map(digits).join(' / ')
    }),
    digits(greatest(load, checkout)),
  ]),
)
console.log(
  `\n${table(['beside', 'checkout', ...probes.map((each) => `${each}, p50 / p95 / max ms`), 'greatest p95 over alone'], shown)}`,
)
writeResult(postgres === undefined ? 'noisy-neighbour' : 'noisy-neighbour-postgresql', environment, {
  ...measuring,
  figures,
})

function add(checkout: string, load: string, samples: Samples, alone: Samples): void {
  for (const operation of probes) {
    const [times, aloneTimes] = [samples[operation], alone[operation]]
    const p95 = quantile(times, 0.95)
    figures.push({
      checkout,
      load,
      operation,
      p50: quantile(times, 0.5),
      p95,
      max: quantile(times, 1),
      ratio: p95 / quantile(aloneTimes, 0.95),
    })
  }
}
