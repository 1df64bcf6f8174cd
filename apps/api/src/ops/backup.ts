import type { ServerResponse } from 'node:http'
import { dirname, isAbsolute } from 'node:path'
import { BackupError, explained } from '@memory/shared/platform/backup/backup-error'
import type { Database } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { z } from 'zod'

/** A copy of the embedded database, into a folder that is not there yet. */
export const BackupRequest = z.strictObject({ target: z.string().refine(isAbsolute) })

/** Clients take a service for dead that they hear nothing of for minutes: Node's own fetch does after five. */
const lineEveryMs = 2_000

/**
 * Copies the database, and answers in lines of JSON (NDJSON): how far it is, every other second, and at last
 * `{"done":true}`, or the `detail` of why it failed. Whoever hangs up ends the copy.
 */
export async function answerBackup(
  { database, log }: { database: Pick<Database, 'copyTo'>; log: Log },
  { target }: z.output<typeof BackupRequest>,
  res: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  res.once('close', () => left.abort())
  const write = (line: object) => res.write(`${JSON.stringify(line)}\n`)
  let progress = { copied_bytes: 0, total_bytes: 0 }
  res.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
  write(progress)
  const lines = setInterval(() => write(progress), lineEveryMs)
  try {
    await copy(database, target, {
      signal: left.signal,
      onProgress: (copied_bytes, total_bytes) => {
        progress = { copied_bytes, total_bytes }
      },
    })
    write({ done: true })
  } catch (error) {
    if (error instanceof BackupError) write({ detail: error.message })
    else if (!left.signal.aborted) {
      log.error({ err: error }, 'backup failed')
      write({ detail: 'the copy failed, and its log says why.' })
    }
  } finally {
    clearInterval(lines)
    res.end()
  }
}

async function copy(
  { copyTo }: Pick<Database, 'copyTo'>,
  target: string,
  watch: Parameters<NonNullable<Database['copyTo']>>[1],
): Promise<void> {
  if (copyTo === undefined) {
    throw new BackupError('it works on a PostgreSQL: set DATABASE_URL to that one, as the service has it.')
  }
  await copyTo(target, watch).catch((error) => {
    throw explained(error, dirname(target))
  })
}
