import { randomUUID } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { limits } from '@memory/shared/catalogue/limits'
import type { ImportState } from '@memory/shared/transfer/batches'
import {
  type Conversion,
  convertedLines,
  linesAfter,
  WrongFormat,
} from '@memory/shared/transfer/formats/convert'
import {
  type FormatName,
  formatNames,
  formats,
  looksLike,
  tables,
} from '@memory/shared/transfer/formats/formats'
import { Leftovers } from '@memory/shared/transfer/formats/leftovers'
import { mappedFields } from '@memory/shared/transfer/formats/table'
import { type Line, readLines } from '@memory/shared/transfer/lines'
import { lookThrough } from '@memory/shared/transfer/look-through'
import { encodingFaultOf, startOf } from '@memory/shared/transfer/source-file'
import { CommandClient } from './client.ts'
import { asNamed, type CommandOutput, Failure, type Output, runCommand, UsageError } from './command.ts'
import { connectionHelp, connectionOptions, findConnection } from './connection.ts'
import { count, counted, duration, printable } from './format.ts'
import { type StoreOptions, storeLines } from './import-batches.ts'
import {
  type ImportCheckpoint,
  identify,
  isDone,
  releaseCheckpoint,
  saveCheckpoint,
  takeCheckpoint,
} from './import-checkpoint.ts'
import { describeDoubles } from './import-doubles.ts'
import { parseLine } from './import-line.ts'
import { deleteSurplusParts } from './import-parts.ts'
import { describeDropped, survey } from './import-survey.ts'
import { sourceFile } from './open-file.ts'

const help = `Stores each line of a file as a memory.

  npm run import -- FILE.ndjson [options]
  npm run import -- --from FORMAT FILE [options]

Each line is a JSON object: {"text": "…", "metadata": {…}, "occurred_at": "…", "expires_at": "…"},
with protected, subject, external_id, valid_from, valid_to as at the API; all but text may be left out.
A line with an external_id that is there already replaces what is there, also what an earlier line of
the file stored, which is said before. A line without a text and
with "key" and "value" (and "source_dim") is stored as a vector. \`-\` reads standard input.

Options
${connectionHelp}
  --from FORMAT    a file of another product, FORMAT being one of
                   ${formatNames.join(', ')}
  --map FIELD=COLUMN  (csv, json) which column or field holds text, subject, external_id, occurred_at …;
                   metadata.NAME=COLUMN, metadata=* for all others; may be repeated, or separated by
                   commas: a comma that no FIELD= follows is one of the column's name
  --items NAME     (json) the member that holds the list; dots walk into objects
  --subject NAME   with --from: the end user of everything in the file that names none
  --dry-run        say what would be stored, show some of it, store nothing
  --skip-invalid   leave invalid lines out and go on (default: store nothing while there are any)
  --strict         refuse a file of which something is not imported, or of which lines have the same
                   external_id (default: say what)
  --restart        forget how far an earlier run came and store the whole file again

All lines are checked by the service's rules before the first is stored. The import can be stopped or
killed at any moment: run the same command again and it goes on; while it runs, no other run takes the
file. How far it came stands in
FILE.ndjson.progress.json. Each line is stored exactly once when it goes on within 24 hours; later, at
most the last batch before the stop (${limits.batchStoreItems} texts) may be stored twice. Standard input is read to its end
first and can't be resumed. A line whose expires_at has passed is left out.`

interface ImportOptions {
  /** Path of a file, or `-` for `stdin`. */
  file: string
  client: CommandClient
  output: Output
  /** How the file is read, where it is one of another product. */
  conversion?: Conversion | undefined
  skipInvalid?: boolean
  strict?: boolean
  restart?: boolean
  stdin?: AsyncIterable<Buffer>
}

interface ImportResult {
  /** Counts of the whole file, earlier runs included. */
  stored: number
  invalid: number
  expired: number
  /** How many of `stored` took the place of what had their own id: of this file, or from before. */
  replaced: number
  /** How many of `stored` earlier runs had stored, as those of a file that was imported already. */
  earlier: number
  /** How many of `stored` this run sent and the service had stored before. */
  replayed: number
}

/** Stores a file's lines in batches, from where an earlier run of the same import stopped. */
export async function importFile(options: ImportOptions): Promise<ImportResult> {
  if (options.file === '-') return await importStdin(options)
  const { file, client, output, conversion } = options
  const checkpoint = await takeCheckpoint(file, client.connection, options.restart ?? false, conversion)
  if (isDone(checkpoint)) {
    output.write(
      `${file} was imported already (${counted(checkpoint.stored, 'line')} stored, ${checkpoint.updated_at}). --restart stores it again.`,
    )
    return result(checkpoint, { earlier: checkpoint.stored, replayed: 0 })
  }
  try {
    return await importFrom(checkpoint, options)
  } finally {
    await releaseCheckpoint(file, checkpoint)
  }
}

async function importFrom(checkpoint: ImportCheckpoint, options: ImportOptions): Promise<ImportResult> {
  const { file, output, conversion } = options
  const source = sourceOf(conversion, file, () => readLines(readBytes(file, checkpoint), checkpoint))
  const surveyed = await surveyFirst(source, options, checkpoint)
  if (checkpoint.offset > 0) {
    output.write(`Going on after line ${count(checkpoint.line)} (${count(checkpoint.stored)} stored).`)
  }
  const save = () => saveCheckpoint(file, checkpoint)
  checkpoint.unsent = false
  const imported = await storeAndReport(source, checkpoint, options, {
    total: conversion === undefined ? checkpoint.file.size : surveyed.end,
    surveyed,
    save,
    hint: {
      passing: 'Run the same command again to go on from there.',
      lasting: 'Once that is mended, the same command goes on from there.',
    },
  })
  // When nothing was stored, no progress is kept: the file may be imported again, and be read in another way.
  checkpoint.unsent = imported.stored === 0
  return imported
}

/** Where the lines of an import come from; they can be read several times. */
interface LineSource {
  /** @param offset leaves out the lines that end there or before, which an earlier run has stored; in bytes */
  lines(offset: number): AsyncIterable<Line>
  /** What of the file is in no line; complete once the lines were read. */
  left(): Leftovers
}

function sourceOf(
  conversion: Conversion | undefined,
  file: string,
  plain: () => AsyncIterable<Line>,
): LineSource {
  let left = new Leftovers()
  if (conversion === undefined) return { lines: plain, left: () => left }
  return {
    lines: (offset) => {
      left = new Leftovers()
      return linesAfter(converted(file, conversion, left), offset)
    },
    left: () => left,
  }
}

/** @throws Failure where the file is not what it is said to be */
async function* converted(path: string, conversion: Conversion, left: Leftovers): AsyncGenerator<Line> {
  try {
    yield* convertedLines(sourceFile(path), conversion, left)
  } catch (error) {
    if (!(error instanceof WrongFormat)) throw error
    const { from, why, like } = error
    const hint = like === undefined ? '' : ` It looks like ${formats[like].title}: --from ${like} reads that.`
    const reason = why === undefined ? '' : `: ${printable(why)}`
    throw new Failure(`${path} is not what --from ${from} reads (${formats[from].title})${reason}.${hint}`)
  }
}

const unresumed = 'Standard input can’t be resumed: leave the stored lines out next time, or import a file.'

/** Keeps standard input in a file, so that nothing of it is stored before all of it is checked. */
async function importStdin(options: ImportOptions): Promise<ImportResult> {
  const folder = await mkdtemp(join(tmpdir(), 'memory-import-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  // Also when the process is told to end, after which `finally` does not run: the memories must not stay in the file.
  process.once('exit', removeFolder)
  try {
    const file = join(folder, 'stdin')
    await writeFile(file, options.stdin ?? process.stdin, { mode: 0o600 })
    const start = { offset: 0, line: 0, stored: 0, invalid: 0, expired: 0, complete: false }
    const source = sourceOf(options.conversion, file, () => readLines(createReadStream(file)))
    const surveyed = await surveyFirst(source, options, start)
    const state = { ...start, import_id: randomUUID() }
    return await storeAndReport(source, state, options, {
      total: surveyed.end,
      surveyed,
      save: async () => {},
      hint: { passing: unresumed, lasting: unresumed },
    })
  } finally {
    process.off('exit', removeFolder)
    removeFolder()
  }
}

/** What reading all lines has shown, for the person at the terminal. */
interface Surveyed {
  /** Sentences on what is not imported, or is there already. */
  notImported: string[]
  /** Own ids that several lines have. */
  repeatedIds: number
  /** Bytes of all lines. */
  end: number
}

/** What would be stored. */
interface DryRun {
  texts: number
  vectors: number
  expired: number
  invalid: number
  /** Own ids that several lines have, of which the last counts. */
  repeatedIds: number
}

/** Lines that are shown of what would be stored. */
const linesShown = 5

/** Says what would be stored, and stores nothing; no service is asked. */
export async function tryImport({
  file,
  output,
  conversion,
  strict = false,
  skipInvalid = false,
}: Omit<ImportOptions, 'client' | 'restart' | 'stdin'>): Promise<DryRun> {
  const source = sourceOf(conversion, file, () => readLines(createReadStream(file)))
  await identify(file)
  const start = { offset: 0, stored: 0 }
  const { notImported, repeatedIds } = await surveyFirst(
    source,
    { output, strict, skipInvalid, file, conversion },
    start,
  )
  const look = await lookThrough(source.lines(0), { parse: parseLine, kept: linesShown })
  for (const sample of look.samples) output.write(shortened(sample))
  const { texts, vectors, expired, invalid } = look
  const run = { texts, vectors, expired, invalid, repeatedIds }
  const all = [counted(run.texts, 'text'), ...(run.vectors > 0 ? [counted(run.vectors, 'vector')] : [])].join(
    ' and ',
  )
  output.write(`Would store ${all}; nothing was stored.`)
  if (run.invalid > 0) output.write(`Left out as invalid: ${counted(run.invalid, 'line')}.`)
  if (run.expired > 0)
    output.write(`Left out as expired, or as over before it began: ${counted(run.expired, 'line')}.`)
  for (const sentence of notImported) output.write(sentence)
  return run
}

const shownChars = 300
const shortened = (line: string) => (line.length > shownChars ? `${line.slice(0, shownChars)}…` : line)

/** Checks everything, and says what is not going to be imported while there is time to stop. */
async function surveyFirst(
  source: LineSource,
  {
    client,
    output,
    file,
    conversion,
    skipInvalid = false,
    strict = false,
  }: Omit<ImportOptions, 'client'> & Partial<Pick<ImportOptions, 'client'>>,
  { offset, stored }: Pick<ImportState, 'offset' | 'stored'>,
): Promise<Surveyed> {
  let end = 0
  async function* counting(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
    for await (const line of lines) {
      end = line.end
      yield line
    }
  }
  const { dropped, repeated, exported } = await survey(counting(source.lines(offset)), {
    skipInvalid,
    strict,
    stored,
    hint: conversion === undefined && file !== '-' ? await hintOf(file) : undefined,
  })
  const left = source.left()
  const doubles = client && stored === 0 ? await describeDoubles(client, exported) : undefined
  const notImported = [describeDropped(dropped), left.describe(), repeated.describe(), doubles]
    .filter((each) => each !== undefined)
    .map(printable)
  if (strict && left.size + repeated.size > 0) {
    const refusal = 'With --strict all of a file has to be imported, so nothing was stored.'
    throw new Failure([...notImported, refusal].join('\n'))
  }
  for (const sentence of notImported) output.write(sentence)
  return { notImported, repeatedIds: repeated.size, end }
}

/** A sentence on what a file probably is when it does not have the lines that are expected; undefined when that is unknown. */
async function hintOf(file: string): Promise<string | undefined> {
  const source = sourceFile(file)
  const fault = await encodingFaultOf(source)
  if (fault !== undefined) return `${file} is no text of UTF-8: ${fault}.`
  const like = looksLike(await startOf(source))
  return like === undefined || tables.includes(like)
    ? undefined
    : `It looks like ${formats[like].title}: --from ${like} reads that.`
}

async function storeAndReport(
  source: LineSource,
  state: ImportState & Pick<ImportCheckpoint, 'surplus'>,
  { client, output, conversion, skipInvalid = false }: ImportOptions,
  { surveyed, ...options }: Pick<StoreOptions, 'total' | 'save' | 'hint'> & { surveyed: Surveyed },
): Promise<ImportResult> {
  const startedAt = performance.now()
  const { stored: storedBefore, replaced: replacedBefore = 0 } = state
  const { replayed } = await storeLines(source.lines(state.offset), state, {
    ...options,
    client,
    output,
    skipInvalid,
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const run = { stored: state.stored - storedBefore, replaced: (state.replaced ?? 0) - replacedBefore }
  report(output, state, { ...run, replayed, seconds })
  // When nothing was replaced, no text has become shorter.
  const needsNone = conversion === undefined || state.replaced === 0
  const deleted = needsNone ? 0 : await deleteSurplusParts(client, source.lines(0))
  if (typeof deleted === 'string') output.write(deleted)
  else delete state.surplus
  if (typeof deleted === 'number' && deleted > 0)
    output.write(
      `Deleted of texts that have become shorter: ${counted(deleted, 'part')} more than they need.`,
    )
  for (const sentence of surveyed.notImported) output.write(sentence)
  return result(state, { earlier: storedBefore, replayed })
}

function result(
  { stored, replaced = 0, invalid, expired }: ImportState,
  runs: Pick<ImportResult, 'earlier' | 'replayed'>,
): ImportResult {
  return { stored, replaced, invalid, expired, ...runs }
}

function report(
  output: Output,
  state: ImportState,
  run: { stored: number; replaced: number; replayed: number; seconds: number },
): void {
  const rate = run.seconds > 0 ? Math.round(run.stored / run.seconds) : 0
  output.write(`Stored ${counted(run.stored, 'line')} in ${duration(run.seconds)} (${count(rate)}/s).`)
  if (run.replaced > 0) {
    output.write(
      `Of these ${count(run.replaced)} replaced what had their external_id; new: ${count(run.stored - run.replaced)}.`,
    )
  }
  if (run.replayed > 0) {
    output.write(`Of these an earlier run had stored ${count(run.replayed)}; none was doubled.`)
  }
  if (run.stored !== state.stored) output.write(`With earlier runs: ${counted(state.stored, 'line')}.`)
  if (state.invalid > 0) output.write(`Left out as invalid: ${counted(state.invalid, 'line')}.`)
  if (state.expired > 0)
    output.write(`Left out as expired, or as over before it began: ${counted(state.expired, 'line')}.`)
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
      from: { type: 'string' },
      map: { type: 'string', multiple: true, default: [] },
      items: { type: 'string' },
      subject: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'skip-invalid': { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      restart: { type: 'boolean', default: false },
    },
  })
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0)
    throw new UsageError('Name one file to import, or - for standard input.')
  const options = {
    file: file === '-' ? file : asNamed(file, process.env),
    output,
    conversion: conversionOf(values),
    skipInvalid: values['skip-invalid'],
    strict: values.strict,
  }
  if (values['dry-run']) {
    if (file === '-') throw new UsageError('A dry run reads a file, which standard input is not.')
    output.result(await tryImport(options))
    return
  }
  const client = new CommandClient({ connection: await findConnection(values, process.env) })
  output.result(await importFile({ ...options, client, restart: values.restart }))
}

/** What the options say of how a file is read; undefined for one of lines. @throws UsageError */
export function conversionOf({
  from,
  map,
  items,
  subject,
}: {
  from?: string | undefined
  map: readonly string[]
  items?: string | undefined
  subject?: string | undefined
}): Conversion | undefined {
  if (from === undefined) {
    if (map.length > 0 || items !== undefined || subject !== undefined)
      throw new UsageError('--map, --items and --subject go together with --from.')
    return undefined
  }
  const name = formatNames.find((each): each is FormatName => each === from)
  if (name === undefined) throw new UsageError(`--from is one of ${formatNames.join(', ')}, not ${from}.`)
  if (!tables.includes(name) && (map.length > 0 || items !== undefined))
    throw new UsageError(`--map and --items are for ${tables.join(' and ')}.`)
  const columns = Object.fromEntries(map.flatMap((each) => each.split(betweenFields)).map(columnOf))
  return { from: name, mapping: { columns, items }, subject }
}

/** What `--map` can name, as a pattern. */
const fieldPattern = `(?:${mappedFields.join('|')}|metadata(?:\\.[^=,]+)?)`
const wholeField = new RegExp(`^${fieldPattern}$`)
/** A comma before the next `FIELD=`. Any other comma is part of a column's name. */
const betweenFields = new RegExp(`,(?=\\s*${fieldPattern}\\s*=)`)

function columnOf(given: string): [field: string, column: string] {
  const at = given.indexOf('=')
  const [field, column] = [given.slice(0, at).trim(), given.slice(at + 1).trim()]
  if (at < 1 || column === '' || !wholeField.test(field))
    throw new UsageError(
      `--map takes FIELD=COLUMN, with a field of ${mappedFields.join(', ')}, metadata and metadata.NAME; not ${given}.`,
    )
  return [field, column]
}

if (import.meta.main) await runCommand(main, help)
