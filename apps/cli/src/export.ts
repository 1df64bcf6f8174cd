import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { isObject } from '@memory/shared/catalogue/fields-json'
import { limits } from '@memory/shared/catalogue/limits'
import { type ExportSelection, exportPages, toExport } from 'memory-service-sdk'
import { CommandClient, type ListedPattern } from './client.ts'
import { asNamed, type CommandOutput, Failure, type Output, runCommand, UsageError } from './command.ts'
import {
  type Connection,
  connectionHelp,
  connectionOptions,
  findConnection,
  keyFingerprint,
} from './connection.ts'
import { counted, duration } from './format.ts'
import { type Holder, hold, letGo, readFree } from './holder.ts'
import { writeJsonFile } from './json-file.ts'
import { startProgress } from './progress.ts'
import { writing } from './writing.ts'

const help = `Writes every text memory to a file, one JSON object a line.

  npm run export -- FILE.ndjson [options]

Each line has text, metadata, occurred_at, expires_at, protected (where somebody said it), external_id,
subject, valid_from and valid_to, as far as there are any, which \`npm run import\` stores again; and
pattern_id, asked_protected, created_at, version, superseded_by and versions (what it was before), which
are the service's to give. What is not valid any more, or not yet, is in it too. Memories stored as bare
vectors have no text and are left out.

Options
${connectionHelp}
  --filter JSON   only what a filter describes, as {"user": "ada"}
  --subject NAME  only what is of one end user
  --force      replace FILE.ndjson if it exists
  --restart    forget how far an earlier run came and begin again

The export goes to FILE.ndjson.partial, which takes its name when it is complete. It can be stopped
or killed at any moment: run the same command again and it goes on. What is stored or forgotten
while an export runs may or may not be in it.`

interface ExportOptions {
  file: string
  client: CommandClient
  output: Output
  selection?: ExportSelection
  force?: boolean
  restart?: boolean
  pageSize?: number
  /** How often progress is saved, in ms: a killed run loses at most this much work. */
  checkpointEveryMs?: number
}

interface ExportResult {
  exported: number
  /** The number of vector patterns, which are not exported since they have no text. */
  leftOut: number
}

interface ExportCheckpoint {
  version: 1
  target: { url: string; key_sha256: string } & ExportSelection
  /** The cursor of the next page; null before the first. */
  cursor: string | null
  /** The bytes of the partial file that are complete pages. */
  bytes: number
  exported: number
  left_out: number
  /** The run that is working on it, or the last one that did. */
  holder?: Holder
}

/** The files of an export: the final one, the partial one, and the progress file. */
interface Paths {
  file: string
  partial: string
  checkpoint: string
}

/** Exports the memory page by page into a file, continuing where an earlier run of the same export stopped. */
export async function exportFile(options: ExportOptions): Promise<ExportResult> {
  const { file, client, selection = {} } = options
  if (await isFolder(file)) throw new Failure(`${file} is a folder: name a file.`)
  if (!options.force && (await exists(file))) {
    throw new Failure(`${file} exists already: name another file, or replace it with --force.`)
  }
  const paths = { file, partial: `${file}.partial`, checkpoint: `${file}.partial.json` }
  const target = targetOf(client.connection, selection)
  const checkpoint = await takeCheckpoint(paths, target, options.restart ?? false)
  try {
    return await exportFrom(checkpoint, paths, options)
  } finally {
    letGo(checkpoint.holder)
  }
}

async function exportFrom(
  checkpoint: ExportCheckpoint,
  paths: Paths,
  options: ExportOptions,
): Promise<ExportResult> {
  const { file, output } = options
  if (checkpoint.exported > 0)
    output.write(`Going on after ${counted(checkpoint.exported, 'memory', 'memories')}.`)

  const startedAt = performance.now()
  const partial = await openPartial(paths.partial, checkpoint.bytes)
  try {
    await writePages(partial, checkpoint, paths, options)
    await writing(paths.partial, () => partial.sync())
  } finally {
    await partial.close()
  }
  await writing(file, () => rename(paths.partial, file))
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

/** Appends page after page, and updates `checkpoint`, which is saved about once a second. */
async function writePages(
  partial: FileHandle,
  checkpoint: ExportCheckpoint,
  paths: Paths,
  { client, output, selection = {}, pageSize = limits.listMax, checkpointEveryMs = 1_000 }: ExportOptions,
): Promise<void> {
  const { count: total } = await client.countPatterns(toExport(selection))
  const progress = startProgress(output, {
    total,
    done: checkpoint.exported + checkpoint.left_out,
    counted: checkpoint.exported,
    unit: 'patterns',
  })
  client.onRetry = progress.note
  let savedAt = performance.now()
  try {
    const source = {
      search: (body: Parameters<CommandClient['searchPatterns']>[0]) => client.searchPatterns(body),
      versionsBefore: (pattern: ListedPattern) => client.versionsBefore(pattern),
    }
    const pages = exportPages(source, selection, { from: checkpoint.cursor, pageSize })
    for await (const { lines, leftOut, cursor } of pages) {
      const bytes = Buffer.from(lines.join(''))
      await writing(paths.partial, () => partial.appendFile(bytes))
      checkpoint.bytes += bytes.length
      checkpoint.exported += lines.length
      checkpoint.left_out += leftOut
      checkpoint.cursor = cursor
      progress.update(checkpoint.exported + checkpoint.left_out, checkpoint.exported)
      // Not saved after the last page: without a cursor the next run would start over.
      if (checkpoint.cursor !== null && performance.now() - savedAt >= checkpointEveryMs) {
        await writing(paths.partial, () => partial.datasync())
        await writeJsonFile(paths.checkpoint, checkpoint)
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

const targetOf = ({ url, key }: Connection, selection: ExportSelection): ExportCheckpoint['target'] => ({
  url,
  key_sha256: keyFingerprint(key),
  ...selection,
})

/**
 * Begins this run of an export: returns the checkpoint of an earlier run, or a new one when there is none, `restart` is set, or
 * the partial file is shorter than the checkpoint says. The checkpoint is saved before the partial file is changed.
 * @throws Failure while another run is writing the export; when it was begun with another service or key
 */
async function takeCheckpoint(
  { file, partial, checkpoint: path }: Paths,
  target: ExportCheckpoint['target'],
  restart: boolean,
): Promise<ExportCheckpoint & { holder: Holder }> {
  const held = { file, doing: 'exported to' } as const
  const { text, progress: found } = await readFree<ExportCheckpoint>(held, path, restart)
  const written = (await stat(partial).catch(() => undefined))?.size ?? 0
  const goesOn = !restart && found !== undefined && found.cursor !== null && found.bytes <= written
  if (goesOn && (found.version !== 1 || !isDeepStrictEqual(found.target, target))) {
    throw new Failure(
      `${partial} was begun from ${found.target.url}, perhaps with another API key, --filter or --subject: go on with those, or begin again with --restart.`,
    )
  }
  const fresh: ExportCheckpoint = { version: 1, target, cursor: null, bytes: 0, exported: 0, left_out: 0 }
  return hold(held, path, text, goesOn ? found : fresh)
}

/** Opens the partial file and cuts off what was written after the checkpoint. */
function openPartial(path: string, bytes: number): Promise<FileHandle> {
  return writing(path, async () => {
    // Private, like backups: memories are personal data.
    const partial = await open(path, 'a', 0o600)
    await partial.truncate(bytes)
    return partial
  })
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

/** Refuses an empty filter or subject, with which everything would be exported. @throws UsageError */
function selectionOf({ filter, subject }: { filter?: string; subject?: string }): ExportSelection {
  if (subject === '') throw new UsageError('--subject is the name of an end user.')
  return {
    ...(filter !== undefined && { filter: readFilter(filter) }),
    ...(subject !== undefined && { subject }),
  }
}

function readFilter(text: string): NonNullable<ExportSelection['filter']> {
  let filter: unknown
  try {
    filter = JSON.parse(text)
  } catch {
    throw new UsageError('--filter is JSON, as {"user": "ada"}.')
  }
  if (!isObject(filter)) throw new UsageError('--filter is a JSON object, as {"user": "ada"}.')
  if (Object.keys(filter).length === 0) {
    throw new UsageError('An empty --filter would export everything: leave it out if that is meant.')
  }
  return filter
}

async function main(args: string[], output: CommandOutput): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...connectionOptions,
      filter: { type: 'string' },
      subject: { type: 'string' },
      force: { type: 'boolean', default: false },
      restart: { type: 'boolean', default: false },
    },
  })
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0) throw new UsageError('Name one file to write.')
  // An export can be continued after a stop, which is not possible with standard output.
  if (file === '-') throw new UsageError('Name a file to write: an export does not go to standard output.')
  const selection = selectionOf(values)
  const client = new CommandClient({ connection: await findConnection(values, process.env) })
  output.result(
    await exportFile({
      file: asNamed(file, process.env),
      client,
      output,
      selection,
      force: values.force,
      restart: values.restart,
    }),
  )
}

if (import.meta.main) await runCommand(main, help)
