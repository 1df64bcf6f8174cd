import { writeFileSync } from 'node:fs'
import { makeSeed } from '@memory/shared/platform/database/embedded'
import { type Cluster, startCluster, startEmbedded } from '../test/faults/runner/cluster.ts'
import { canStartRedis } from '../test/faults/runner/redis-server.ts'
import { writeReport } from '../test/faults/runner/report.ts'
import { held, type RunOptions, runFaults } from '../test/faults/runner/run.ts'
import { readOptions } from './read-options.ts'

/**
 * Kills and restarts every process of a deployment under load, and compares what is stored and delivered with what was
 * acknowledged. `--short`: a few faults of each kind. `--seed N`: the same operations and faults again. `--report FILE`
 * keeps the tables. `--writes N` and `--only cluster` or `embedded` change how much is run.
 */

type Plan = RunOptions['plan']

const full: { writes: number; cluster: Plan; embedded: Plan } = {
  writes: 20_000,
  cluster: {
    'kill -9 API': 20,
    'kill -9 worker': 20,
    'kill -9 API in sleep': 2,
    'kill -9 PostgreSQL': 5,
    'kill -9 Redis': 5,
    FLUSHALL: 3,
    'rolling restart': 2,
    'kill -9 relay five times': 1,
  },
  embedded: { 'kill -9 API': 5, 'kill -9 API in sleep': 3 },
}

const short: typeof full = {
  writes: 1_500,
  cluster: {
    'kill -9 API': 1,
    'kill -9 worker': 1,
    'kill -9 API in sleep': 1,
    'kill -9 PostgreSQL': 1,
    'kill -9 Redis': 1,
    FLUSHALL: 1,
    'rolling restart': 1,
    'kill -9 relay five times': 1,
  },
  embedded: { 'kill -9 API': 1, 'kill -9 API in sleep': 1 },
}

async function main(): Promise<number> {
  const { values } = readOptions({
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      writes: { type: 'string' },
      only: { type: 'string' },
      report: { type: 'string' },
    },
  })
  const chosen = values.short ? short : full
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
  const writes = Number(values.writes ?? chosen.writes)
  const runs = [
    { name: 'cluster', start: startCluster, plan: chosen.cluster, writes, tenants: 6 },
    {
      name: 'embedded',
      start: startEmbedded,
      plan: chosen.embedded,
      writes: Math.ceil(writes / 10),
      tenants: 2,
    },
  ].filter(({ name }) => values.only === undefined || values.only === name)
  // New data directories begin as a copy of the seed.
  await makeSeed()
  const reports: string[] = []
  let failed = 0
  for (const { name, start, ...options } of runs) {
    if (name === 'cluster' && !canStartRedis) {
      console.log('The cluster is left out: there is no redis-server on the PATH.')
      continue
    }
    console.log(`${name}: seed ${seed}`)
    const isFine = await runOne(name, start, { ...options, seed, say: console.log }, reports)
    if (!isFine) failed++
  }
  const text = `${reports.join('\n\n')}\n`
  console.log(text)
  if (values.report !== undefined) writeFileSync(values.report, text)
  console.log(`Tests  ${failed} failed | ${reports.length - failed} passed`)
  return failed === 0 && reports.length > 0 ? 0 : 1
}

async function runOne(
  name: string,
  start: () => Promise<Cluster>,
  options: RunOptions,
  reports: string[],
): Promise<boolean> {
  const cluster = await start()
  try {
    const report = await runFaults(cluster, options)
    reports.push(writeReport(name, report))
    return held(report)
  } catch (error) {
    const states = [...cluster.apis, ...cluster.workers].map((each) => each.state())
    reports.push(
      [`## ${name}: seed ${options.seed}`, `ended by ${(error as Error).stack}`, ...states].join('\n\n'),
    )
    return false
  } finally {
    await cluster.stop()
  }
}

process.exitCode = await main()
