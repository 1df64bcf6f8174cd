/**
 * Many tenants at once: searches spread over organizations that have a few patterns each, sent at fixed times, so that
 * whatever holds everybody up shows in the times of all that were due meanwhile.
 *
 *   npm run bench -- tenants [--organizations 5000] [--each 20] [--per-second 100] [--seconds 60] [--postgres] [--base OTHER_CHECKOUT]
 */
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { Connection } from './support/client.ts'
import { environmentLine, readEnvironment, repository } from './support/environment.ts'
import { openLoop, type Timed } from './support/load.ts'
import { randomFrom } from './support/random.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'
import { digits, quantile } from './support/statistics.ts'
import { fillTenants, type Tenant } from './tenants/fill.ts'
import { newDatabase } from './vectors/servers.ts'

const { values: options } = readOptions({
  options: {
    organizations: { type: 'string', default: '5000' },
    each: { type: 'string', default: '20' },
    dimensions: { type: 'string', default: '64' },
    'per-second': { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '32' },
    postgres: { type: 'boolean', default: false },
    base: { type: 'string' },
  },
})
const organizations = Number(options.organizations)
const filling = { organizations, each: Number(options.each), dimensions: Number(options.dimensions) }
const perSecond = Number(options['per-second'])
const count = Math.round(perSecond * Number(options.seconds))
/** Of the first searches, which load the spaces that they meet first, and compile code. */
const warmUpShare = 0.2

interface Figures {
  checkout: string
  load: string
  p50: number
  p95: number
  p99: number
  p999: number
  max: number
  processorMsEach: number
  memoryMb: number
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const figures: Figures[] = []
try {
  if (options.base !== undefined) figures.push(...(await measure('base', options.base)))
  figures.push(...(await measure('this', repository)))
} finally {
  postgres?.stop()
}
console.log(
  table(
    ['checkout', 'searches', 'p50 ms', 'p95', 'p99', 'p99.9', 'max', 'processor ms a search', 'MB'],
    figures.map(({ checkout, load, ...figure }) => [
      checkout,
      load,
      ...[figure.p50, figure.p95, figure.p99, figure.p999, figure.max].map(digits),
      ...[figure.processorMsEach, figure.memoryMb].map(digits),
    ]),
  ),
)
writeResult(postgres === undefined ? 'tenants' : 'tenants-postgresql', environment, {
  ...filling,
  perSecond,
  count,
  figures,
})

async function measure(name: string, checkout: string): Promise<Figures[]> {
  const dataDir = newFolder()
  const databaseUrl = postgres && (await newDatabase(postgres.url))
  console.error(`${name}: ${organizations} organizations`)
  const tenants = await fillTenants({ dataDir, databaseUrl, checkout }, filling)
  const server = await startServer({ dataDir, databaseUrl, checkout })
  try {
    const connections = await Promise.all(
      Array.from({ length: Number(options.connections) }, () => Connection.open(server.port)),
    )
    const search = async (connection: Connection, { key, vector }: Tenant) => {
      const body = { embedding: vector, top_k: 5 }
      const { status, text } = await connection.send('POST', '/v1/memory/query', body, { 'x-api-key': key })
      if (status !== 200) throw new Error(`A query was answered ${status}: ${text.slice(0, 500)}`)
    }
    const random = randomFrom(6)
    const anyTenant = () => tenants[Math.floor(random() * tenants.length)] as Tenant
    const loads = [
      ['over all', anyTenant],
      ['of one', () => tenants[0] as Tenant],
    ] as const
    const results: Figures[] = []
    for (const [load, pick] of loads) {
      console.error(`${name}: ${count} searches ${load}`)
      const before = server.processorMs()
      const samples = await openLoop(connections, { perSecond, count }, (connection) =>
        search(connection, pick()),
      )
      results.push({
        checkout: name,
        load,
        ...summaryOf(samples),
        processorMsEach: (server.processorMs() - before) / count,
        memoryMb: server.memory().now,
      })
    }
    for (const connection of connections) connection.close()
    return results
  } finally {
    await server.stop()
    removeFolder(dataDir)
  }
}

function summaryOf(samples: readonly Timed[]) {
  const from = (warmUpShare * count * 1_000) / perSecond
  const ms = samples.filter(({ dueMs }) => dueMs >= from).map((one) => one.ms)
  const [p50, p95, p99, p999, max] = [0.5, 0.95, 0.99, 0.999, 1].map((q) => quantile(ms, q)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return { p50, p95, p99, p999, max }
}
