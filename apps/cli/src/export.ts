import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { limits } from '@memory/shared/catalogue/limits'
import { CommandClient, type ListedPattern } from './client.ts'
import { type CommandOutput, Failure, type Output, runCommand, UsageError } from './command.ts'
import {
  type Connection,
  connectionHelp,
  connectionOptions,
  findConnection,
  keyFingerprint,
} from './connection.ts'
import { counted, duration } from './format.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import { startProgress } from './progress.ts'

const help = `Writes every text memory to a file, one JSON object a line.

  npm run export -- FILE.ndjson [options]

Each line has text, metadata, occurred_at, expires_at, pattern_id and created_at; \`npm run import\`
stores it again. Memories stored as bare vectors have no text and are left out.

Options
${connectionHelp}
  --force      replace FILE.ndjson if it exists
  --restart    forget how far an earlier run came and begin again

The export goes to FILE.ndjson.partial, which takes its name when it is complete. It can be stopped
or killed at any moment: run the same command again and it goes on. What is stored or forgotten
while an export runs may or may not be in it.

Exit codes: 0 exported, 1 failed or stopped, 2 wrong usage.`

export interface ExportOptions {
  file: string
  client: CommandClient
  output: Output
  force?: boolean
  restart?: boolean
  pageSize?: number
  /** How much work a kill may cost. */
  checkpointEveryMs?: number
}

export interface ExportResult {
  exported: number
  /** Vector patterns, which have no text. */
  leftOut: number
}

interface ExportCheckpoint {
  version: 1
  target: { url: string; key_sha256: string }
  /** The next page; null before the first. */
  cursor: string | null
  /** Bytes of the partial file that hold whole pages. */
  bytes: number
  exported: number
  left_out: number
}

/** Pages through the memory into a file, from where an earlier run of the same export stopped. */
export async function exportFile(options: ExportOptions): Promise<ExportResult> {
  const { file, client, output } = options
  if (!options.force && (await exists(file))) {
    throw new Failure(`${file} exists already: name another file, or replace it with --force.`)
  }
  const paths = { file, partial: `${file}.partial`, checkpoint: `${file}.partial.json` }
  const checkpoint = await openCheckpoint(paths, client.connection, options.restart ?? false)
  if (checkpoint.exported > 0)
    output.write(`Going on after ${counted(checkpoint.exported, 'memory', 'memories')}.`)

  const startedAt = performance.now()
  const partial = await openPartial(paths.partial, checkpoint.bytes)
  try {
    await writePages(partial, checkpoint, paths.checkpoint, options)
    await partial.sync()
  } finally {
    await partial.close()
  }
  await rename(paths.partial, file)
  await rm(paths.checkpoint, { force: true })

  const seconds = (performance.now() - startedAt) / 1_000
  output.write(
    `Exported ${counted(checkpoint.exported, 'memory', 'memories')} to ${file} in ${duration(seconds)}.`,
  )
  if (checkpoint.left_out > 0) {
    output.write(`Left out, as they have no text: ${counted(checkpoint.left_out, 'vector pattern')}.`)
  }
  return { exported: checkpoint.exported, leftOut: checkpoint.left_out }
}

/** Appends page after page; `checkpoint` moves along, and to disk about once a second. */
async function writePages(
  partial: FileHandle,
  checkpoint: ExportCheckpoint,
  checkpointPath: string,
  { client, output, pageSize = limits.listMax, checkpointEveryMs = 1_000 }: ExportOptions,
): Promise<void> {
  const { total_patterns } = await client.stats()
  const progress = startProgress(output, {
    total: total_patterns,
    done: checkpoint.exported,
    counted: checkpoint.exported,
    unit: 'patterns',
  })
  client.onRetry = progress.note
  let savedAt = performance.now()
  try {
    for (let first = true; first || checkpoint.cursor !== null; first = false) {
      const page = await client.listPatterns({ cursor: checkpoint.cursor ?? undefined, limit: pageSize })
      const lines = page.patterns.filter(({ text }) => text !== null).map(exportLine)
      const bytes = Buffer.from(lines.join(''))
      await partial.appendFile(bytes)
      checkpoint.bytes += bytes.length
      checkpoint.exported += lines.length
      checkpoint.left_out += page.patterns.length - lines.length
      checkpoint.cursor = page.next_cursor
      progress.update(checkpoint.exported, checkpoint.exported)
      // Not after the last page: without a cursor the next run would begin at the first one.
      if (checkpoint.cursor !== null && performance.now() - savedAt >= checkpointEveryMs) {
        await partial.datasync()
        await writeJsonFile(checkpointPath, checkpoint)
        savedAt = performance.now()
      }
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(`${error.message}\nRun the same command again to go on.`, { cause: error })
  } finally {
    progress.stop()
  }
}

function exportLine(pattern: ListedPattern): string {
  const { text, metadata, occurred_at = null, expires_at = null, pattern_id, created_at } = pattern
  const { external_id, valid_from, valid_to } = pattern
  const address = {
    ...(external_id != null && { external_id }),
    ...(valid_from !== occurred_at && { valid_from }),
    ...(valid_to != null && { valid_to }),
  }
  return `${JSON.stringify({ text, metadata, occurred_at, expires_at, pattern_id, created_at, ...address })}\n`
}

async function openCheckpoint(
  paths: { partial: string; checkpoint: string },
  connection: Connection,
  restart: boolean,
): Promise<ExportCheckpoint> {
  const target = { url: connection.url, key_sha256: keyFingerprint(connection.key) }
  const fresh = { version: 1, target, cursor: null, bytes: 0, exported: 0, left_out: 0 } as const
  if (restart || !(await exists(paths.partial))) return fresh
  const found = await readJsonFile<ExportCheckpoint>(paths.checkpoint)
  if (found === undefined) return fresh
  const same = found.target.url === target.url && found.target.key_sha256 === target.key_sha256
  if (found.version !== 1 || !same) {
    throw new Failure(
      `${paths.partial} was begun from ${found.target.url}, perhaps with another API key: go on with those, or begin again with --restart.`,
    )
  }
  return found
}

/** Opens the partial file and cuts off what was written after the checkpoint. */
async function openPartial(path: string, bytes: number): Promise<FileHandle> {
  try {
    const partial = await open(path, 'a')
    await partial.truncate(bytes)
    return partial
  } catch (cause) {
    throw new Failure(`${path} can't be written (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

async function main(args: string[], output: CommandOutput): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...connectionOptions,
      force: { type: 'boolean', default: false },
      restart: { type: 'boolean', default: false },
    },
  })
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0) throw new UsageError('Name one file to write.')
  const client = new CommandClient({ connection: await findConnection(values, process.env) })
  output.result(
    await exportFile({
      // npm runs scripts in the project's folder; the person may have been in another.
      file: resolve(process.env.INIT_CWD ?? '', file),
      client,
      output,
      force: values.force,
      restart: values.restart,
    }),
  )
}

if (import.meta.main) await runCommand(main, help)
