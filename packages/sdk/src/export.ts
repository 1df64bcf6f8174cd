import type { MemoryClient } from './client.ts'
import { ApiError } from './errors.ts'
import { listMax, versionsMax } from './generated/facts.ts'
import type { AnswerOf, CallOptions, InputOf } from './operations.ts'

type Page = AnswerOf<'POST /v1/memory/patterns/search'>
type Listed = Page['patterns'][number]
type Version = AnswerOf<'GET /v1/memory/patterns/{pattern_id}/history'>['versions'][number]
type Search = InputOf<'POST /v1/memory/patterns/search'>

/** Which memories are exported: all unless said. */
export type ExportSelection = Pick<Search, 'filter' | 'subject'>

/** Where an export reads from. */
export interface ExportSource {
  search(body: Search): Promise<Page>
  /** What a pattern was before, newest first. */
  versionsBefore(pattern: Listed): Promise<Version[]>
}

export interface ExportedPage {
  /** A line of JSON for each memory that has a text, with its newline. */
  lines: string[]
  /** Vector patterns, which have no text. */
  leftOut: number
  /** Where to go on; null after the last page. */
  cursor: string | null
}

/** What an export asks for: also what is not valid any more, or not yet. */
export const toExport = (selection: ExportSelection) => ({ ...selection, include_superseded: true })

/**
 * A client as the source of an export.
 * @throws TypeError for a client of `forSubject`: what a pattern was is asked for by its id, which such a client refuses
 */
export function exportSourceOf(client: MemoryClient, options?: CallOptions): ExportSource {
  if (client.subject !== undefined) {
    throw new TypeError('Give the client itself, and the end user to exportPages: { subject }')
  }
  return {
    search: (body) => client.patterns.search(body, options),
    versionsBefore: (pattern) => versionsBefore(client, pattern, options),
  }
}

/** What a pattern was before, newest first; nothing of one that has gone meanwhile. */
export async function versionsBefore(
  client: MemoryClient,
  { pattern_id: id, version: now }: Listed,
  options?: CallOptions,
): Promise<Version[]> {
  try {
    const before: Version[] = []
    for await (const each of client.patterns.allHistory(id, { limit: versionsMax }, options))
      if (each.version < now) before.push(each)
    return before
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

/**
 * Every memory with a text as lines of JSON, which an import stores again, page after page in the order of storing. What is
 * stored or forgotten meanwhile may or may not be among them.
 * @param from the cursor of an earlier page, to go on after it
 */
export async function* exportPages(
  source: ExportSource,
  selection: ExportSelection = {},
  { from = null, pageSize = listMax }: { from?: string | null; pageSize?: number } = {},
): AsyncGenerator<ExportedPage, void, undefined> {
  let cursor = from
  do {
    const page = await source.search({ ...toExport(selection), cursor, limit: pageSize })
    const lines: string[] = []
    for (const pattern of page.patterns) {
      if (pattern.text === null) continue
      lines.push(exportLine(pattern, pattern.version > 1 ? await source.versionsBefore(pattern) : []))
    }
    cursor = page.next_cursor
    yield { lines, leftOut: page.patterns.length - lines.length, cursor }
  } while (cursor !== null)
}

function exportLine(pattern: Listed, versions: readonly Version[]): string {
  const { text, metadata, occurred_at, expires_at, pattern_id, created_at, version } = pattern
  const { external_id, subject, valid_from, valid_to, superseded_by, asked_protected } = pattern
  const address = {
    ...(external_id !== null && { external_id }),
    ...(subject !== null && { subject }),
    ...(valid_from !== occurred_at && { valid_from }),
    ...(valid_to !== null && { valid_to }),
    ...(superseded_by !== null && { superseded_by }),
  }
  // A service of before doesn't tell what was said of it: an import judges by what else the line has.
  const isSaid = asked_protected !== null && { protected: pattern.protected }
  const told = { text, metadata, occurred_at, expires_at, ...isSaid }
  const past = versions.length > 0 && { versions }
  return `${JSON.stringify({ ...told, ...address, pattern_id, asked_protected, created_at, version, ...past })}\n`
}
