import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { limits } from '@memory/shared/catalogue/limits'
import { MemoryClient } from './client.ts'
import { consoleOutput, Failure, type Output, runCommand, UsageError } from './command.ts'
import { connectionHelp, connectionOptions, findConnection } from './connection.ts'
import { count, counted, duration } from './format.ts'
import { type ImportState, type StoreOptions, storeLines } from './import-batches.ts'
import { type ImportCheckpoint, openCheckpoint, saveCheckpoint } from './import-checkpoint.ts'
import { parseLine } from './import-line.ts'
import { type Line, readLines } from './lines.ts'

const help = `Stores each line of a file as a memory.

  npm run import -- FILE.ndjson [options]

Each line is a JSON object: {"text": "…", "metadata": {…}, "occurred_at": "…", "expires_at": "…"};
all but text may be left out. \`-\` reads standard input.

Options
${connectionHelp}
  --skip-invalid   leave invalid lines out and go on (default: store nothing while there are any)
  --restart        forget how far an earlier run came and store the whole file again

The import can be stopped or killed at any moment: run the same command again and it goes on. How
far it came stands in FILE.ndjson.progress.json. Each line is stored exactly once when it goes on
within 24 hours; later, at most the last ${limits.batchStoreItems} lines before the stop may be stored twice.
Standard input can't be resumed. A line whose expires_at has passed is left out.

Exit codes: 0 all stored, 1 failed or stopped, 2 wrong usage.`

export interface ImportOptions {
  /** Path of an NDJSON file, or `-` for `stdin`. */
  file: string
  client: MemoryClient
  output: Output
  skipInvalid?: boolean
  restart?: boolean
  stdin?: AsyncIterable<Buffer>
}

export interface ImportResult {
  /** Counts of the whole file, earlier runs included. */
  stored: number
  invalid: number
  expired: number
  /** How many of `stored` this run sent and the service had stored before. */
  replayed: number
}

/** Stores a file's lines in batches, from where an earlier run of the same import stopped. */
export async function importFile(options: ImportOptions): Promise<ImportResult> {
  if (options.file === '-') return await importStdin(options)
  const { file, client, output } = options
  const checkpoint = await openCheckpoint(file, client.connection, options.restart ?? false)
  if (checkpoint.complete) {
    output.write(
      `${file} was imported already (${counted(checkpoint.stored, 'line')} stored, ${checkpoint.updated_at}). --restart stores it again.`,
    )
    return result(checkpoint, 0)
  }
  const lines = () => readLines(readBytes(file, checkpoint), checkpoint)
  if (!options.skipInvalid) await requireValid(lines(), checkpoint, output)
  if (checkpoint.offset > 0) {
    output.write(`Going on after line ${count(checkpoint.line)} (${count(checkpoint.stored)} stored).`)
  }
  const save = () => saveCheckpoint(file, checkpoint)
  // Before the first batch is sent: its key holds the import's id, which the next run must know.
  await save()
  return await storeAndReport(lines(), checkpoint, options, {
    total: checkpoint.file.size,
    save,
    hint: 'Run the same command again to go on from there.',
  })
}

function importStdin(options: ImportOptions): Promise<ImportResult> {
  const state = { offset: 0, line: 0, stored: 0, invalid: 0, expired: 0, complete: false }
  const lines = readLines(options.stdin ?? process.stdin)
  return storeAndReport(lines, { ...state, import_id: randomUUID() }, options, {
    total: undefined,
    save: async () => {},
    hint: 'Standard input can’t be resumed: leave the stored lines out next time, or import a file.',
  })
}

async function storeAndReport(
  lines: AsyncIterable<Line>,
  state: ImportState,
  { client, output, skipInvalid = false }: ImportOptions,
  options: Pick<StoreOptions, 'total' | 'save' | 'hint'>,
): Promise<ImportResult> {
  const startedAt = performance.now()
  const storedBefore = state.stored
  const { replayed } = await storeLines(lines, state, { ...options, client, output, skipInvalid })
  const seconds = (performance.now() - startedAt) / 1_000
  report(output, state, { stored: state.stored - storedBefore, replayed, seconds })
  return result(state, replayed)
}

function result({ stored, invalid, expired }: ImportState, replayed: number): ImportResult {
  return { stored, invalid, expired, replayed }
}

function report(
  output: Output,
  state: ImportState,
  run: { stored: number; replayed: number; seconds: number },
): void {
  const rate = run.seconds > 0 ? Math.round(run.stored / run.seconds) : 0
  output.write(`Stored ${counted(run.stored, 'line')} in ${duration(run.seconds)} (${count(rate)}/s).`)
  if (run.replayed > 0) {
    output.write(`Of these an earlier run had stored ${count(run.replayed)}; none was doubled.`)
  }
  if (run.stored !== state.stored) output.write(`With earlier runs: ${counted(state.stored, 'line')}.`)
  if (state.invalid > 0) output.write(`Left out as invalid: ${counted(state.invalid, 'line')}.`)
  if (state.expired > 0) output.write(`Left out as expired: ${counted(state.expired, 'line')}.`)
}

function readBytes(file: string, { offset, file: { size } }: ImportCheckpoint): AsyncIterable<Buffer> {
  // Lines that are appended meanwhile are no part of this import.
  return offset >= size ? emptyStream() : createReadStream(file, { start: offset, end: size - 1 })
}

async function* emptyStream(): AsyncGenerator<Buffer> {}

const invalidShown = 10

/** Reads ahead to the end, so that a file with a mistake is mended before any of it is stored. */
async function requireValid(
  lines: AsyncIterable<Line>,
  checkpoint: ImportCheckpoint,
  output: Output,
): Promise<void> {
  let invalid = 0
  for await (const line of lines) {
    const parsed = parseLine(line, Date.now())
    if (parsed.kind !== 'invalid') continue
    if (++invalid <= invalidShown) output.write(`Line ${count(line.number)}: ${parsed.reason}.`)
  }
  if (invalid === 0) return
  if (invalid > invalidShown) output.write(`… and ${counted(invalid - invalidShown, 'more invalid line')}.`)
  const already = checkpoint.stored > 0 ? ` beyond the ${count(checkpoint.stored)} lines stored before` : ''
  throw new Failure(
    `${counted(invalid, 'line')} can't be imported, so nothing was stored${already}. Correct the file, or leave such lines out with --skip-invalid.`,
  )
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...connectionOptions,
      'skip-invalid': { type: 'boolean', default: false },
      restart: { type: 'boolean', default: false },
    },
  })
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0)
    throw new UsageError('Name one file to import, or - for standard input.')
  const client = new MemoryClient({ connection: await findConnection(values, process.env) })
  await importFile({
    // npm runs scripts in the project's folder; the person may have been in another.
    file: file === '-' ? file : resolve(process.env.INIT_CWD ?? '', file),
    client,
    output: consoleOutput,
    skipInvalid: values['skip-invalid'],
    restart: values.restart,
  })
}

if (import.meta.main) await runCommand(main, help)
