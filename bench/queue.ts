/**
 * The job queue on each of its backends, beside the outbox, whose events don't go through it.
 *
 *   npm run bench -- queue [--jobs 300] [--rounds 3] [--redis redis://127.0.0.1:6379]
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createOrganization } from '../packages/identity/src/organizations/service.ts'
import type { Database } from '../packages/shared/src/platform/database/database.ts'
import { openEmbedded } from '../packages/shared/src/platform/database/embedded.ts'
import { migratePostgres, openPostgres } from '../packages/shared/src/platform/database/postgres.ts'
import { createLog } from '../packages/shared/src/platform/log.ts'
import { JobQueue } from '../packages/shared/src/platform/queue/queue.ts'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { measureRound, outboxWay, queueWay, type Round, type Way } from './queue/round.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'
import { type Spread, showSpread, spread } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    jobs: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
    redis: { type: 'string', default: 'redis://127.0.0.1:6379' },
  },
})
const jobs = Number(options.jobs)
const rounds = Number(options.rounds)
const log = createLog('warn')

interface Result {
  way: string
  figures: Record<keyof Round, Spread>
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const results: Result[] = []

const folder = newFolder()
await measureDatabase('embedded', await openEmbedded(join(folder, 'database')))
removeFolder(folder)

const postgres = await startPostgres({ version: '18', durable: true })
try {
  await migratePostgres(postgres.url)
  await measureDatabase('PostgreSQL', openPostgres(postgres.url, 8, log))
} finally {
  postgres.stop()
}

const redis = new JobQueue({
  redisUrl: options.redis,
  database: {} as Database,
  log,
  prefix: `bench-${randomUUID()}`,
})
await measure('queue in Redis', queueWay(redis))
for (const name of ['spaces', 'tiers', 'chores'] as const) {
  await (await redis.queue(name)).obliterate({ force: true })
}
await redis.close()

console.log(
  table(
    ['', 'added/s', 'done/s', 'pick-up p50 ms', 'p99 ms', 'processor ms each'],
    results.map(({ way, figures: f }) => [
      way,
      ...[f.addedPerSecond, f.donePerSecond, f.pickUpP50Ms, f.pickUpP99Ms, f.processorMs].map(showSpread),
    ]),
  ),
)
writeResult('queue', environment, { jobs, rounds, results })

async function measureDatabase(name: string, database: Database): Promise<void> {
  const organizationId = await createOrganization(database.queries, 'Bench', 'enterprise')
  await measure(`outbox, ${name}`, outboxWay(database, log, organizationId, randomUUID()))
  const queue = new JobQueue({ redisUrl: undefined, database, log })
  await measure(`queue, ${name}`, queueWay(queue))
  await queue.close()
  await database.close()
}

async function measure(name: string, way: Way): Promise<void> {
  await measureRound(way, 20)
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) measured.push(await measureRound(way, jobs))
  const figures = Object.fromEntries(
    (Object.keys(measured[0] as Round) as (keyof Round)[]).map((figure) => [
      figure,
      spread(measured.map((each) => each[figure])),
    ]),
  ) as Result['figures']
  results.push({ way: name, figures })
}
