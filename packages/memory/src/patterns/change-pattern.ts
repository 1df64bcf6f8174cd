import { isDeepStrictEqual } from 'node:util'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import { requireFuture } from '@memory/shared/catalogue/fields'
import { type JsonObject, jsonFault, mergePatch } from '@memory/shared/catalogue/fields-json'
import type { Caller, Input } from '@memory/shared/catalogue/operation'
import { requireScope } from '@memory/shared/catalogue/require-scope'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { replacePassages } from '../lexical/passage-store.ts'
import type { ChangePattern, Pattern } from '../schema.ts'
import * as store from '../store.ts'
import { type EmbeddedText, embedTexts } from '../texts/embed-texts.ts'
import { textHash } from '../texts/text-identity.ts'
import { orNameTaken, requireMatch, requireValidity, tooEarly, versioningOf } from './address.ts'
import { describeText, describeVector } from './category.ts'
import {
  findBeginOfSuperseded,
  findNamed,
  findStoredKey,
  type PatternRow,
  requirePattern,
  requirePatternIn,
} from './pattern-store.ts'
import { metadataOf, toPattern } from './show-pattern.ts'

export type Changing = Pick<MemoryContext, 'queries' | 'compute' | 'spaces' | 'versionsKept' | 'clock'>
type Changes = Input<typeof ChangePattern>['body']
/** A text that takes the place of another one, embedded. */
export type ChangedText = EmbeddedText & { text: string; textHash: string; model: string }

/**
 * Changes what a request names of a pattern, and answers what it is then. One that names nothing only reads.
 * @throws ApiError pattern_not_found, version_mismatch, external_id_exists, insufficient_scope; ValidationError
 */
export async function changePattern(
  context: Changing,
  caller: Caller,
  id: string,
  body: Changes,
  ifMatch: string | undefined,
): Promise<Pattern> {
  const before = await requirePattern(context.queries, caller.spaceId, id)
  if (body.text !== undefined && before.text === null) {
    throw ValidationError.rule(['body', 'text'], 'a vector pattern has no text', body.text)
  }
  if (body.metadata !== undefined && body.metadata_patch !== undefined) {
    throw ValidationError.rule(['body', 'metadata_patch'], 'give metadata or metadata_patch, not both')
  }
  requireFuture(body.expires_at, context.clock.now())
  requireMatch(ifMatch, before)
  if (Object.values(body).every((value) => value === undefined)) {
    requireScope(caller, 'memory:read')
    return toPattern(before)
  }
  const embedding = body.text === undefined ? undefined : await embedChanged(context, caller, body.text)
  return commitChange(context, caller, {
    id: before.id,
    ifMatch,
    change: 'updated',
    embedding,
    make: async (row, key, trx) => {
      await requireBegin(trx, caller.spaceId, row, body.valid_from)
      return changeOf(row, key, body, { embedding, now: context.clock.now() })
    },
  })
}

export async function embedChanged(
  context: Pick<Changing, 'compute'>,
  caller: Caller,
  text: string,
): Promise<ChangedText> {
  const [embedded] = (await embedTexts(context, caller, [text])) as [EmbeddedText]
  return { ...embedded, text, textHash: textHash(text), model: context.compute.modelId }
}

/** A change of one pattern, made of what it is when nobody else can change it any more. */
export interface OneChange {
  id: string
  ifMatch: string | undefined
  change: 'updated' | 'reverted'
  embedding: ChangedText | undefined
  /** @param key as it is stored @param trx in which nobody else can change the pattern */
  make(row: PatternRow, key: Float32Array, trx: Trx): store.PatternChange | Promise<store.PatternChange>
}

/** Commits a change and shows it to the searches of this process. */
export async function commitChange(
  context: Changing,
  caller: Caller,
  { id, ifMatch, change, embedding, make }: OneChange,
): Promise<Pattern> {
  const { spaceId } = caller
  const versioning = { ...versioningOf(context, caller), change }
  const changing = asTenant(context.queries, caller, async (trx) => {
    await store.lockSpace(trx, spaceId)
    const before = await requirePatternIn(trx, spaceId, id)
    requireMatch(ifMatch, before)
    const storedKey = await findStoredKey(trx, spaceId, before.idx)
    const made = await make(before, storedKey, trx)
    if (change === 'updated' && changesNothing(before, storedKey, made)) return { after: before }
    if (made.fields?.external_id != null) await requireFree(trx, spaceId, before, made.fields.external_id)
    const changed = await store.updatePattern(trx, spaceId, id, made, versioning)
    if (changed === undefined) throw new ApiError('pattern_not_found')
    if (embedding !== undefined) {
      await replacePassages(trx, spaceId, { idx: changed.idx, passages: embedding.passages })
    }
    const after = await requirePatternIn(trx, spaceId, id)
    const key = made.embedding?.key ?? made.vectors?.key ?? storedKey
    return { after, changed: { before, key, version: changed.version } }
  })
  const { after, changed } = await orNameTaken(changing)
  if (changed === undefined) return toPattern(after)
  const { before, key, version } = changed
  // What is valid for a time, ends another's validity or is another subject's from now on is read from the database, as other
  // processes do.
  if (![before, after].some(isTimed) && before.subject === after.subject) {
    const { idx, tier, expires_at: expiresAt, source_dim: sourceDim } = after
    const text = embedding && { text: embedding.text, passages: embedding.passages, subject: after.subject }
    const stored = [{ idx, key, isText: after.text !== null, sourceDim, expiresAt, tier, ...text }]
    context.spaces.committed(spaceId, version, { stored, touched: [idx] })
  }
  return toPattern(after)
}

/** Whether a pattern is already what a change makes of it. Its category follows from the rest. */
function changesNothing(
  row: PatternRow,
  key: Float32Array,
  { embedding, metadata, fields: { category: _, occurred_at, ...fields } = {} }: store.PatternChange,
): boolean {
  const become = { ...fields, occurred_at: occurred_at === null ? row.created_at : occurred_at }
  return (
    (embedding === undefined || (embedding.text === row.text && isDeepStrictEqual(embedding.key, key))) &&
    (metadata === undefined || isDeepStrictEqual(metadata.value, metadataOf(row))) &&
    Object.entries(become).every(
      ([name, value]) => value === undefined || isDeepStrictEqual(value, row[name as keyof PatternRow]),
    )
  )
}

const isTimed = ({ valid_from, valid_to, supersedes }: PatternRow): boolean =>
  valid_from !== null || valid_to !== null || supersedes !== null

/** @throws ValidationError where a pattern is said to begin before the one that it has ended */
async function requireBegin(
  trx: Trx,
  spaceId: string,
  row: PatternRow,
  validFrom: Date | null | undefined,
): Promise<void> {
  if (validFrom == null || row.supersedes === null) return
  const began = await findBeginOfSuperseded(trx, spaceId, row.idx)
  if (began !== null && validFrom < began) throw tooEarly(['body'])
}

/** What a request changes, with what follows from it. */
function changeOf(
  row: PatternRow,
  key: Float32Array,
  body: Changes,
  { embedding, now }: { embedding: ChangedText | undefined; now: Date },
): store.PatternChange {
  const { expires_at, occurred_at, external_id, subject, valid_from, valid_to } = body
  // It may have ended before it was stored, or what took its place have ended it before it began: that is no reason to refuse
  // a change of something else.
  if (valid_from !== undefined || valid_to !== undefined || occurred_at !== undefined) {
    requireValidity(
      {
        // As of a store: what nobody said when it occurred may have ended before.
        occurred_at: occurred_at === undefined ? toldEventOf(row, now) : occurred_at,
        valid_from: valid_from === undefined ? row.valid_from : valid_from,
        valid_to: valid_to === undefined ? row.valid_to : valid_to,
      },
      ['body'],
    )
  }
  const metadata = changedMetadata(row, body)
  const described = describeAgain(row, key, { metadata, embedding, protected: body.protected })
  return {
    embedding,
    metadata: metadata === undefined ? undefined : { value: metadata, ...described },
    fields: { expires_at, occurred_at, external_id, subject, valid_from, valid_to, ...described },
  }
}

/** When what a pattern tells of occurred, where somebody said so: as `app.is_begin_told` knows it. */
const toldEventOf = ({ occurred_at, created_at }: PatternRow, now: Date): Date | undefined =>
  occurred_at < created_at || occurred_at > now ? occurred_at : undefined

/** @returns undefined for metadata that stay */
function changedMetadata(
  row: PatternRow,
  { metadata, metadata_patch: patch }: Changes,
): store.Metadata | null | undefined {
  if (patch === undefined) return metadata
  const merged = mergePatch((metadataOf(row) ?? {}) as JsonObject, patch) as JsonObject
  const fault = jsonFault(merged)
  if (fault !== undefined) throw ValidationError.rule(['body', 'metadata_patch'], `metadata ${fault}`)
  return merged
}

/**
 * The category that follows from text and metadata as they become, and whether the pattern is protected: what a caller
 * has said of that alone stays until one says otherwise.
 */
export function describeAgain(
  row: PatternRow,
  key: Float32Array,
  become: {
    metadata: store.Metadata | null | undefined
    embedding: ChangedText | undefined
    protected?: boolean | null | undefined
  },
): { category: string | null; protected: boolean; asked_protected: boolean | null } {
  const metadata = become.metadata === undefined ? metadataOf(row) : become.metadata
  const { text, key: vector } = become.embedding ?? { text: row.text, key }
  const now = text === null ? describeVector(metadata) : describeText(text, vector, metadata)
  const asked = become.protected === undefined ? row.asked_protected : become.protected
  return { category: now.category, protected: asked ?? now.protected, asked_protected: asked }
}

/** @throws ApiError external_id_exists when another pattern has the name */
async function requireFree(trx: Trx, spaceId: string, row: PatternRow, name: string): Promise<void> {
  const other = await findNamed(trx, spaceId, name)
  if (other === undefined || other.idx === row.idx) return
  if (!other.expired) throw new ApiError('external_id_exists')
  await store.removePatterns(trx, spaceId, { indexes: [other.idx], textOnly: false, dryRun: false })
}
