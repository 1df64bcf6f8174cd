/**
 * Jobs whose worker is killed again and again: whether each is done, its effect there once, and how soon. Effects are
 * rows of the database; beside Redis, of PostgreSQL.
 *
 *   npm run bench -- queue-kills [--jobs 5000] [--kills 20] [--backends redis,postgres,embedded] [--seed 1]
 *     [--redis redis://127.0.0.1:6379]
 */
import { randomUUID } from 'node:crypto'
import { queueNames } from '../packages/shared/src/catalogue/jobs.ts'
import type { Database } from '../packages/shared/src/platform/database/database.ts'
import { openDataDirectory } from '../packages/shared/src/platform/database/embedded.ts'
import { migratePostgres, openPostgres } from '../packages/shared/src/platform/database/postgres.ts'
import { createLog } from '../packages/shared/src/platform/log.ts'
import { JobQueue } from '../packages/shared/src/platform/queue/queue.ts'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { countEffects, prepareEffects } from '../test/platform/queue/effects.ts'
import { type Course, workUnderKills } from './queue/kills.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { randomFrom } from './support/random.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'
import { digits } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    jobs: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '20' },
    backends: { type: 'string', default: 'redis,postgres,embedded' },
    seed: { type: 'string', default: '1' },
    redis: { type: 'string', default: 'redis://127.0.0.1:6379' },
  },
})
const jobs = Number(options.jobs)
const kills = Number(options.kills)
const seed = Number(options.seed)
const log = createLog('warn')

/** Where jobs and effects are: for the worker as settings, for this process while no worker runs. */
interface Place {
  settings: Record<string, string>
  open(): Promise<Database>
}

interface Result extends Course {
  backend: string
  jobs: number
  /** Jobs without their effect, and with more than one. */
  lost: number
  twice: number
  /** What the queue itself counted; in a database after a job's end, so that a kill can come in between. */
  completed: number
  failed: number
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const results: Result[] = []
for (const backend of options.backends.split(',')) {
  if (backend === 'embedded') await onEmbedded()
  else if (backend === 'postgres' || backend === 'redis') await onPostgres(backend)
  else throw new Error(`No backend is called ${backend}.`)
  writeResult('queue-kills', environment, { seed, results })
}

console.log(
  table(
    [
      '',
      'jobs',
      'kills',
      'lost',
      'effects twice',
      'begun again',
      'seconds',
      'longest pause s',
      'longest recovery s',
    ],
    results.map((r) => [
      r.backend,
      ...[r.jobs, r.kills, r.lost, r.twice, r.begunAgain].map(String),
      ...[r.seconds, r.longestPauseMs / 1_000, r.longestRecoveryMs / 1_000].map(digits),
    ]),
  ),
)
if (results.some(({ lost, twice, failed }) => lost + twice + failed > 0)) process.exitCode = 1

async function onEmbedded(): Promise<void> {
  const folder = newFolder()
  await measure('embedded', {
    settings: { MEMORY_DATA_DIR: folder },
    open: () => openDataDirectory(folder),
  })
  removeFolder(folder)
}

async function onPostgres(backend: 'postgres' | 'redis'): Promise<void> {
  const { url, stop } = await startPostgres({ version: '18', durable: true })
  try {
    await migratePostgres(url)
    const redis = { REDIS_URL: options.redis, PREFIX: `bench-${randomUUID()}` }
    await measure(backend, {
      settings: { DATABASE_URL: url, ...(backend === 'redis' ? redis : {}) },
      open: async () => openPostgres(url, 8, log),
    })
  } finally {
    stop()
  }
}

async function measure(backend: string, place: Place): Promise<void> {
  const { REDIS_URL: redisUrl, PREFIX: prefix } = place.settings
  const withQueue = async <T>(work: (queue: JobQueue, database: Database) => Promise<T>): Promise<T> => {
    const database = await place.open()
    const queue = new JobQueue({ redisUrl, database, log, ...(prefix === undefined ? {} : { prefix }) })
    try {
      return await work(queue, database)
    } finally {
      await queue.close()
      await database.close()
    }
  }
  await withQueue(async (queue, { queries }) => {
    await prepareEffects(queries)
    for (let first = 0; first < jobs; first += 8) {
      const count = Math.min(8, jobs - first)
      await Promise.all(Array.from({ length: count }, (_, n) => add(queue, first + n)))
    }
  })
  const random = randomFrom(seed)
  const moments = Array.from({ length: kills }, () => random() * jobs).sort((a, b) => a - b)
  const course = await workUnderKills(place.settings, moments, random)
  const result = await withQueue(async (queue, { queries }) => {
    const { once, twice } = await countEffects(queries)
    const totals = Object.values(await queue.totals())
    const sum = (key: 'completed' | 'failed') => totals.reduce((total, each) => total + each[key], 0)
    if (redisUrl !== undefined) {
      for (const name of queueNames) await (await queue.queue(name)).obliterate({ force: true })
    }
    return { lost: jobs - once - twice, twice, completed: sum('completed'), failed: sum('failed') }
  })
  results.push({ backend, jobs, ...result, ...course })
}

/** Jobs of every queue, of each as many as a worker has in hand at once. */
function add(queue: JobQueue, n: number): Promise<string> {
  const options = { id: `job_${n}` }
  const place = n % 7
  if (place === 0) return queue.add('consolidate-space', { spaceId: randomUUID() }, options)
  if (place < 3) return queue.add('migrate-tiers', { spaceId: randomUUID() }, options)
  return queue.add('purge-traces', {}, options)
}
