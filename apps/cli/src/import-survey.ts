import { type Line, placeOf } from '@memory/shared/transfer/lines'
import { Failure } from './command.ts'
import { count, counted, printable } from './format.ts'
import { lookedFor } from './import-doubles.ts'
import { parseLine } from './import-line.ts'

/** How often a field had a value that the service does not store, by its name. */
type Dropped = ReadonlyMap<string, number>

/** What reading all lines has shown. */
interface Survey {
  dropped: Dropped
  repeated: RepeatedIds
  /** The `pattern_id` of the first lines that an export wrote and that have no own id. */
  exported: string[]
}

/** Fields of an export that say how the pattern was: an import does not store them, and that is no loss. */
const ofOldPattern = new Set([
  ...['pattern_id', 'pattern_idx', 'created_at', 'category', 'protected', 'asked_protected', 'tier', 'model'],
  ...[
    'access_count',
    'last_accessed',
    'key',
    'source_dim',
    'superseded_by',
    'version',
    'updated_at',
    'versions',
  ],
])

interface SurveyOptions {
  /** Leave invalid lines out instead of refusing the file. */
  skipInvalid: boolean
  /** Refuse lines with fields that are not imported. */
  strict: boolean
  /** Lines that an earlier run stored. */
  stored: number
  /** A sentence to add when lines can't be imported. */
  hint?: string | undefined
}

const invalidShown = 10

/**
 * Reads all lines before any of them is stored, so that a file with a mistake is mended first.
 * @returns what is not going to be imported of them, and which take each other's place
 * @throws Failure when a line can't be imported, which names the first of these
 */
export async function survey(
  lines: AsyncIterable<Line>,
  { skipInvalid, strict, stored, hint }: SurveyOptions,
): Promise<Survey> {
  const dropped = new Map<string, number>()
  const repeated = new RepeatedIds()
  const exported: string[] = []
  const shown: string[] = []
  let invalid = 0
  const refuse = (line: Line, reason: string) => {
    if (++invalid <= invalidShown) shown.push(printable(`${placeOf(line)}: ${reason}.`))
  }
  for await (const line of lines) {
    const parsed = parseLine(line, Date.now())
    if (parsed.kind === 'invalid' && !skipInvalid) refuse(line, parsed.reason)
    if (parsed.kind !== 'item') continue
    const { externalId, patternId } = parsed
    if (externalId !== undefined) repeated.add(externalId)
    else if (patternId !== undefined && exported.length < lookedFor) exported.push(patternId)
    for (const name of parsed.dropped) dropped.set(name, (dropped.get(name) ?? 0) + 1)
    // Nothing is lost without the link of an exported pattern: what it replaced is in the file too, with the end of its validity.
    const isExported = parsed.dropped.includes('pattern_id')
    const isKnown = (name: string) => ofOldPattern.has(name) || (name === 'supersedes' && isExported)
    const unknown = parsed.dropped.filter((name) => !isKnown(name))
    if (strict && unknown.length > 0) refuse(line, `${unknown.join(', ')} would not be imported`)
  }
  if (invalid === 0) return { dropped, repeated, exported }
  if (invalid > invalidShown) shown.push(`… and ${counted(invalid - invalidShown, 'more such line')}.`)
  const already = stored > 0 ? ` beyond the ${count(stored)} lines stored before` : ''
  // One error with the lines and the summary, so that both go to standard error.
  throw new Failure(
    [
      ...shown,
      `${counted(invalid, 'line')} can't be imported, so nothing was stored${already}. Correct the file, or leave such lines out with --skip-invalid.${hint === undefined ? '' : ` ${hint}`}`,
    ].join('\n'),
  )
}

/**
 * Own ids that several lines have. The service keeps what the last of them says, as it must where a file is imported
 * again; within one file it is more often a wrong column, and all but one of the lines are lost.
 */
class RepeatedIds {
  readonly #seen = new Set<string>()
  /** How many lines have an id, of those that several have. */
  readonly #lines = new Map<string, number>()

  /** How many ids there are that several lines have. */
  get size(): number {
    return this.#lines.size
  }

  add(id: string): void {
    if (this.#seen.has(id)) this.#lines.set(id, (this.#lines.get(id) ?? 1) + 1)
    else this.#seen.add(id)
  }

  /** One sentence, with the id that most lines have; undefined where each has its own. */
  describe(): string | undefined {
    if (this.size === 0) return undefined
    const [id, lines] = [...this.#lines].reduce((most, each) => (each[1] > most[1] ? each : most))
    const others = this.size === 1 ? '' : `; so it is with ${counted(this.size - 1, 'other id')}`
    return `external_id ${JSON.stringify(id)} is on ${count(lines)} lines, of which the last counts${others}.`
  }
}

/** A file may have other fields in every line. */
const namesShown = 20

/** One sentence; undefined when everything is imported. */
export function describeDropped(dropped: Dropped): string | undefined {
  if (dropped.size === 0) return undefined
  const shown = [...dropped]
    .slice(0, namesShown)
    .map(([name, lines]) => `${JSON.stringify(name).slice(1, -1)} (${counted(lines, 'line')})`)
  const more = dropped.size - shown.length
  return `Fields that are not imported: ${shown.join(', ')}${more > 0 ? `, and ${count(more)} more` : ''}.`
}
