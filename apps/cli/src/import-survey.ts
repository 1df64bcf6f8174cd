import { type Line, placeOf } from '@memory/shared/transfer/lines'
import { Failure, type Output } from './command.ts'
import { count, counted } from './format.ts'
import { parseLine } from './import-line.ts'

/** How often a field had a value that the service does not store, by its name. */
export type Dropped = ReadonlyMap<string, number>

/** What our own exports write about the pattern as it was: the service makes it anew. */
const ofOldPattern = new Set([
  ...['pattern_id', 'pattern_idx', 'created_at', 'category', 'protected', 'tier', 'model', 'access_count'],
  ...['last_accessed', 'key', 'source_dim', 'superseded_by', 'version', 'updated_at', 'versions'],
])

export interface SurveyOptions {
  output: Output
  /** Leave invalid lines out instead of refusing the file. */
  skipInvalid: boolean
  /** Refuse lines with fields that are not imported. */
  strict: boolean
  /** Lines that an earlier run stored. */
  stored: number
  /** What is said beside, where lines can't be imported. */
  hint?: string | undefined
}

const invalidShown = 10

/**
 * Reads all lines before any of them is stored, so that a file with a mistake is mended first.
 * @returns what is not going to be imported of them
 * @throws Failure when a line can't be imported
 */
export async function survey(
  lines: AsyncIterable<Line>,
  { output, skipInvalid, strict, stored, hint }: SurveyOptions,
): Promise<Dropped> {
  const dropped = new Map<string, number>()
  let invalid = 0
  const refuse = (line: Line, reason: string) => {
    if (++invalid <= invalidShown) output.write(`${placeOf(line)}: ${reason}.`)
  }
  for await (const line of lines) {
    const parsed = parseLine(line, Date.now())
    if (parsed.kind === 'invalid' && !skipInvalid) refuse(line, parsed.reason)
    if (parsed.kind !== 'item') continue
    for (const name of parsed.dropped) dropped.set(name, (dropped.get(name) ?? 0) + 1)
    const unknown = parsed.dropped.filter((name) => !ofOldPattern.has(name))
    if (strict && unknown.length > 0) refuse(line, `${unknown.join(', ')} would not be imported`)
  }
  if (invalid === 0) return dropped
  if (invalid > invalidShown) output.write(`… and ${counted(invalid - invalidShown, 'more such line')}.`)
  const already = stored > 0 ? ` beyond the ${count(stored)} lines stored before` : ''
  throw new Failure(
    `${counted(invalid, 'line')} can't be imported, so nothing was stored${already}. Correct the file, or leave such lines out with --skip-invalid.${hint === undefined ? '' : ` ${hint}`}`,
  )
}

/** A file may give every line's fields names of their own. */
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
