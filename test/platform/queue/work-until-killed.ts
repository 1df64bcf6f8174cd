/**
 * Works on a queue in a process of its own. ADD adds a job first; HANG never finishes one; EFFECTS gives each its effect,
 * works as unhurriedly as production, and tells when no job is left. Tells its parent of every job that it takes in hand,
 * and at SIGTERM stops in order and says how many are completed.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '@memory/shared/platform/database/database'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import { openPostgres } from '@memory/shared/platform/database/postgres'
import { createLog } from '@memory/shared/platform/log'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import { timing } from '@memory/shared/platform/queue/timing'
import { haveEffect } from './effects.ts'

const { REDIS_URL, PREFIX, DATABASE_URL, MEMORY_DATA_DIR, ADD, HANG, EFFECTS } = process.env
const log = createLog('silent')

const openDatabase = async (): Promise<Database> =>
  DATABASE_URL === undefined
    ? openDataDirectory(MEMORY_DATA_DIR as string)
    : // With Redis it is asked for effects only.
      openPostgres(DATABASE_URL, 8, log)

const database = await openDatabase()
const queue = new JobQueue({
  redisUrl: REDIS_URL,
  database,
  log,
  ...(PREFIX === undefined ? {} : { prefix: PREFIX }),
  timing: EFFECTS === undefined ? { ...timing, lockMs: 1_000, stalledEveryMs: 200, drainMs: 5_000 } : timing,
})
if (ADD !== undefined) await queue.add('consolidate-space', { spaceId: randomUUID() }, { id: ADD })
const workers = await queue.work({
  types: [],
  handle: async ({ id }) => {
    console.log(`began ${id}`)
    if (HANG !== undefined) await new Promise(() => {})
    if (EFFECTS === undefined) return
    await haveEffect(database.queries, id)
    console.log(`did ${id}`)
  },
})
if (EFFECTS !== undefined) {
  const looking = setInterval(async () => {
    // A queue that does not answer in time is asked again.
    const counts = await queue.counts().catch(() => undefined)
    if (counts === undefined) return
    if (Object.values(counts).some(({ waiting, active, delayed }) => waiting + active + delayed > 0)) return
    clearInterval(looking)
    console.log('empty')
  }, 500)
}
process.on('SIGTERM', async () => {
  await workers.stop()
  const { completed, failed } = (await queue.counts()).spaces
  console.log(`completed ${completed}, failed ${failed}`)
  await queue.close()
  await database.close()
  process.exit(0)
})
