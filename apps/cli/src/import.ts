import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { limits } from '@memory/shared/catalogue/limits'
import { CommandClient } from './client.ts'
import { type CommandOutput, type Output, runCommand, UsageError } from './command.ts'
import { connectionHelp, connectionOptions, findConnection } from './connection.ts'
import { count, counted, duration } from './format.ts'
import { type ImportState, type StoreOptions, storeLines } from './import-batches.ts'
import { type ImportCheckpoint, openCheckpoint, saveCheckpoint } from './import-checkpoint.ts'
import { type Dropped, describeDropped, survey } from './import-survey.ts'
import { type Line, readLines } from './lines.ts'

const help = `Stores each line of a file as a memory.

  npm run import -- FILE.ndjson [options]

Each line is a JSON object: {"text": "…", "metadata": {…}, "occurred_at": "…", "expires_at": "…"},
with protected, subject, external_id, valid_from, valid_to as at the API; all but text may be left out.
A line with an external_id that is there already replaces what is there. A line without a text and
with "key" and "value" (and "source_dim") is stored as a vector. \`-\` reads standard input.

Options
${connectionHelp}
  --skip-invalid   leave invalid lines out and go on (default: store nothing while there are any)
  --strict         refuse lines with other fields (default: say which are not imported)
  --restart        forget how far an earlier run came and store the whole file again

All lines are checked by the service's rules before the first is stored. The import can be stopped or
killed at any moment: run the same command again and it goes on. How far it came stands in
FILE.ndjson.progress.json. Each line is stored exactly once when it goes on within 24 hours; later, at
most the last batch before the stop (${limits.batchStoreItems} texts) may be stored twice. Standard input is read to its end
first and can't be resumed. A line whose expires_at has passed is left out.

Exit codes: 0 all stored, 1 failed or stopped, 2 wrong usage.`

export interface ImportOptions {
  /** Path of an NDJSON file, or `-` for `stdin`. */
  file: string
  client: CommandClient
  output: Output
  skipInvalid?: boolean
  strict?: boolean
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
  const dropped = await surveyFirst(lines(), options, checkpoint)
  if (checkpoint.offset > 0) {
    output.write(`Going on after line ${count(checkpoint.line)} (${count(checkpoint.stored)} stored).`)
  }
  const save = () => saveCheckpoint(file, checkpoint)
  // Before the first batch is sent: its key holds the import's id, which the next run must know.
  await save()
  return await storeAndReport(lines(), checkpoint, options, {
    total: checkpoint.file.size,
    dropped,
    save,
    hint: 'Run the same command again to go on from there.',
  })
}

/** Keeps standard input in a file, so that nothing of it is stored before all of it is checked. */
async function importStdin(options: ImportOptions): Promise<ImportResult> {
  const folder = await mkdtemp(join(tmpdir(), 'memory-import-'))
  try {
    const file = join(folder, 'stdin.ndjson')
    await writeFile(file, options.stdin ?? process.stdin, { mode: 0o600 })
    const start = { offset: 0, line: 0, stored: 0, invalid: 0, expired: 0, complete: false }
    const dropped = await surveyFirst(readLines(createReadStream(file)), options, start)
    const state = { ...start, import_id: randomUUID() }
    return await storeAndReport(readLines(createReadStream(file)), state, options, {
      total: (await stat(file)).size,
      dropped,
      save: async () => {},
      hint: 'Standard input can’t be resumed: leave the stored lines out next time, or import a file.',
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Checks everything, and says what is not going to be imported while there is time to stop. */
async function surveyFirst(
  lines: AsyncIterable<Line>,
  { output, skipInvalid = false, strict = false }: ImportOptions,
  { stored }: Pick<ImportState, 'stored'>,
): Promise<Dropped> {
  const dropped = await survey(lines, { output, skipInvalid, strict, stored })
  writeDropped(output, dropped)
  return dropped
}

function writeDropped(output: Output, dropped: Dropped): void {
  const sentence = describeDropped(dropped)
  if (sentence !== undefined) output.write(sentence)
}

async function storeAndReport(
  lines: AsyncIterable<Line>,
  state: ImportState,
  { client, output, skipInvalid = false }: ImportOptions,
  { dropped, ...options }: Pick<StoreOptions, 'total' | 'save' | 'hint'> & { dropped: Dropped },
): Promise<ImportResult> {
  const startedAt = performance.now()
  const storedBefore = state.stored
  const { replayed } = await storeLines(lines, state, { ...options, client, output, skipInvalid })
  const seconds = (performance.now() - startedAt) / 1_000
  report(output, state, { stored: state.stored - storedBefore, replayed, seconds })
  writeDropped(output, dropped)
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

async function main(args: string[], output: CommandOutput): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...connectionOptions,
      'skip-invalid': { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      restart: { type: 'boolean', default: false },
    },
  })
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0)
    throw new UsageError('Name one file to import, or - for standard input.')
  const client = new CommandClient({ connection: await findConnection(values, process.env) })
  output.result(
    await importFile({
      // npm runs scripts in the project's folder; the person may have been in another.
      file: file === '-' ? file : resolve(process.env.INIT_CWD ?? '', file),
      client,
      output,
      skipInvalid: values['skip-invalid'],
      strict: values.strict,
      restart: values.restart,
    }),
  )
}

if (import.meta.main) await runCommand(main, help)
