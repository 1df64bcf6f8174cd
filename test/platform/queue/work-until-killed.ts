/**
 * Works on a queue in a process of its own. ADD adds a job first; HANG never finishes one. Tells its parent of every
 * job that it takes in hand, and at SIGTERM stops in order and says how many are completed.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '@memory/shared/platform/database/database'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import { openPostgres } from '@memory/shared/platform/database/postgres'
import { createLog } from '@memory/shared/platform/log'
import { JobQueue } from '@memory/shared/platform/queue/queue'

const { REDIS_URL, PREFIX, DATABASE_URL, MEMORY_DATA_DIR, ADD, HANG } = process.env
const log = createLog('silent')

const openDatabase = async (): Promise<Database> =>
  DATABASE_URL === undefined
    ? openDataDirectory(MEMORY_DATA_DIR as string)
    : // With Redis it is not asked for anything.
      openPostgres(DATABASE_URL, 2, log)

const database = await openDatabase()
const queue = new JobQueue({
  redisUrl: REDIS_URL,
  database,
  log,
  ...(PREFIX === undefined ? {} : { prefix: PREFIX }),
  timing: { lockMs: 1_000, stalledEveryMs: 200, drainMs: 5_000, schedulesEveryMs: 60_000 },
})
if (ADD !== undefined) await queue.add('consolidate-space', { spaceId: randomUUID() }, { id: ADD })
const workers = await queue.work({
  types: [],
  handle: async ({ id }) => {
    console.log(`began ${id}`)
    if (HANG !== undefined) await new Promise(() => {})
  },
})
process.on('SIGTERM', async () => {
  await workers.stop()
  const { completed, failed } = (await queue.counts()).spaces
  console.log(`completed ${completed}, failed ${failed}`)
  await queue.close()
  await database.close()
  process.exit(0)
})
