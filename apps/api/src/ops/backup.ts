import type { ServerResponse } from 'node:http'
import { dirname, isAbsolute } from 'node:path'
import { BackupError, explained } from '@memory/shared/platform/backup/backup-error'
import type { Database } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { z } from 'zod'

/** The request for a copy of the embedded database, into a folder that must not exist yet. */
export const BackupRequest = z.strictObject({ target: z.string().refine(isAbsolute) })

/** Progress is sent this often. Clients give up on a silent service after some time: Node's fetch does after five minutes. */
const lineEveryMs = 2_000

/**
 * Copies the database, and answers with lines of JSON (NDJSON): the progress every two seconds, and at the end `{"done":true}`,
 * or a `detail` that says why it failed. When the client hangs up, the copy is aborted.
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
