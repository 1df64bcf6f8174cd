import type { Queries } from '@memory/shared/platform/database/database'
import type { Environment } from '@memory/shared/platform/database/tables'
import type { PatternSet } from '../index/pattern-set.ts'
import * as store from './export-store.ts'
import { toVersion } from './history.ts'
import { toPattern } from './show-pattern.ts'
import { listVersions } from './version-store.ts'

/** Patterns read at once: with the longest vectors some megabytes. */
const pageRows = 100

/**
 * The patterns of a space that are stored now, valid or not, with what is kept of what they were, one JSON object a line, in the
 * order of their idx. Those deleted or expired before their page is read are left out, and
 * those stored since `storedBefore`, should it be given. `npm run import` stores what the
 * lines have of texts, vectors, metadata, times and own ids.
 */
export async function* exportPatterns(
  queries: Queries,
  organizationId: string,
  environment: Environment,
  storedBefore?: Date,
): AsyncGenerator<string> {
  const space = await store.findSpace(queries, organizationId, environment)
  if (space !== undefined) yield* exportSpace(queries, space, { storedBefore })
}

/** Which patterns of a space are exported; all unless given. */
export interface ExportedPatterns {
  subject?: string
  among?: PatternSet | undefined
  storedBefore?: Date | undefined
}

/** The same of a space. */
export async function* exportSpace(
  queries: Queries,
  { id, nextIdx }: store.SpaceExtent,
  { subject, among, storedBefore }: ExportedPatterns = {},
): AsyncGenerator<string> {
  for (let after = -1; ; ) {
    const named = among?.page(after + 1, pageRows)
    const page = { after, before: nextIdx, count: pageRows, subject, named, storedBefore }
    const rows = await store.listWhole(queries, id, page)
    for (const row of rows) yield `${toJson(row).slice(0, -1)}${await versionsOf(queries, id, row)}}\n`
    const looked = named ?? rows.map(({ idx }) => idx)
    if (looked.length < pageRows) return
    after = looked.at(-1) as number
  }
}

/** What the pattern was, where it was changed: read one by one, since each may hold the longest text or vector. */
async function versionsOf(
  queries: Queries,
  spaceId: string,
  { idx, revision }: store.WholePattern,
): Promise<string> {
  if (revision === 1) return ''
  const kept = await listVersions(queries, spaceId, idx, { before: revision, count: revision })
  return `,"versions":${JSON.stringify(kept.map(toVersion))}`
}

/** As lists show it, and more; `protected` only where a caller has said so, for an import to say it again. Metadata and vectors go in as they are kept: no number of theirs passes through a float64. */
function toJson({ metadata, key, value, ...row }: store.WholePattern): string {
  const { pattern_id, pattern_idx, text, metadata: none, ...shown } = toPattern({ ...row, metadata: null })
  const { source_dim, category, model } = row
  const isSaid = { protected: row.asked_protected ?? undefined }
  const head = JSON.stringify({ pattern_id, pattern_idx, text }).slice(0, -1)
  const tail = JSON.stringify({ source_dim, category, model, ...shown, ...isSaid }).slice(1)
  return `${head},"metadata":${metadata ?? JSON.stringify(none)},"key":${key},"value":${value ?? 'null'},${tail}`
}
