import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { ReceiptIssuer } from '@memory/shared/receipts/receipt'
import type { MemoryContext } from '../context.ts'
import { forgetSearches } from '../learning/learning-store.ts'
import { replacePassages } from '../lexical/passage-store.ts'
import { beginErasure } from '../receipts/erasure-store.ts'
import type { ChangePattern, DeletePattern, EmptySpace, Pattern } from '../schema.ts'
import * as store from '../store.ts'
import { type EmbeddedText, embedTexts } from '../texts/embed-texts.ts'
import { recordForgotten } from '../texts/record-forgotten.ts'
import { textHash } from '../texts/text-identity.ts'
import { describeText, describeVector } from './category.ts'
import { isPatternId } from './pattern-id.ts'
import { findPattern, findPatternIn, type PatternRow, setDescription } from './pattern-store.ts'
import { toPattern } from './show-pattern.ts'

type Reading = Pick<MemoryContext, 'queries'>
type Changing = Pick<MemoryContext, 'queries' | 'compute' | 'spaces'>

/** @throws ApiError pattern_not_found */
export async function getPattern({ queries }: Reading, caller: Caller, id: string): Promise<Pattern> {
  return toPattern(await getRow({ queries }, caller, id))
}

/** Changes a pattern's text or metadata. @throws ApiError pattern_not_found, ValidationError */
export async function changePattern(
  { queries, compute, spaces }: Changing,
  caller: Caller,
  id: string,
  { text, metadata }: Input<typeof ChangePattern>['body'],
): Promise<Pattern> {
  const before = await getRow({ queries }, caller, id)
  if (text !== undefined && before.text === null) {
    throw ValidationError.rule(['body', 'text'], 'a vector pattern has no text', text)
  }
  if (text === undefined && metadata === undefined) return toPattern(before)
  const embedding = text === undefined ? undefined : await embedChanged(compute, caller, text)
  const change = {
    embedding,
    metadata: metadata === undefined ? undefined : { value: metadata, ...describeVector(metadata) },
  }
  // One transaction: as soon as the change is committed, another request may change or delete the pattern.
  const [changed, after] = await asTenant(queries, caller, async (trx) => {
    const changed = await store.updatePattern(trx, caller.spaceId, id, change)
    if (changed !== undefined && embedding !== undefined) {
      await replacePassages(trx, caller.spaceId, { idx: changed.idx, passages: embedding.passages })
    }
    return [changed, await describeAgain(trx, caller.spaceId, id, embedding?.key)]
  })
  if (changed === undefined || after === undefined) throw new ApiError('pattern_not_found')
  spaces.committed(caller.spaceId, changed.version, {
    stored: embedding && [
      {
        idx: changed.idx,
        key: embedding.key,
        isText: true,
        sourceDim: null,
        expiresAt: before.expires_at,
        tier: before.tier,
        text: embedding.text,
        passages: embedding.passages,
      },
    ],
    touched: [changed.idx],
  })
  return toPattern(after)
}

async function embedChanged(compute: Changing['compute'], caller: Caller, text: string) {
  const [embedded] = (await embedTexts({ compute }, caller, [text])) as [EmbeddedText]
  return { ...embedded, text, textHash: textHash(text), model: compute.modelId }
}

/**
 * Gives a changed pattern the category that follows from its text and metadata as they are now: either may have come
 * from another request. @param key its embedding, when this request made it
 */
async function describeAgain(
  trx: Trx,
  spaceId: string,
  id: string,
  key: Float32Array | undefined,
): Promise<PatternRow | undefined> {
  const row = await findPatternIn(trx, spaceId, id)
  if (row === undefined || row.text === null) return row
  const embedding = key ?? (await store.findKeys(trx, spaceId, [row.idx])).get(row.idx)
  if (embedding === undefined) return row
  const description = describeText(row.text, embedding, row.metadata)
  await setDescription(trx, spaceId, row.idx, description)
  return { ...row, protected: description.protected }
}

/** @throws ApiError pattern_not_found */
export async function deletePattern(
  { queries, spaces }: Changing,
  caller: Caller,
  id: string,
): Promise<Output<typeof DeletePattern>> {
  const { idx } = await getRow({ queries }, caller, id)
  const version = await asTenant(queries, caller, async (trx) => {
    const removal = { indexes: [idx], textOnly: false, dryRun: false }
    const { version, patterns } = await store.removePatterns(trx, caller.spaceId, removal)
    if (version !== undefined) await recordForgotten(trx, caller, patterns.length)
    return version
  })
  if (version === undefined) throw new ApiError('pattern_not_found')
  spaces.committed(caller.spaceId, version, { removed: [idx] })
  return { message: 'Pattern deleted' }
}

/** Removes everything the space holds. */
export async function emptySpace(
  { queries, spaces, clock, receipts }: Changing & Pick<MemoryContext, 'clock' | 'receipts'>,
  caller: Caller,
): Promise<Output<typeof EmptySpace>> {
  const requestedAt = clock.now()
  const issuer = await ReceiptIssuer.open(receipts, clock)
  const { deleted, receipt } = await asTenant(queries, caller, async (trx) => {
    await store.lockSpace(trx, caller.spaceId)
    const begun = await beginErasure(trx, caller.spaceId, undefined)
    const emptied = await store.emptySpace(trx, caller.spaceId)
    await forgetSearches(trx, caller.spaceId)
    await recordForgotten(trx, caller, emptied.deleted)
    if (emptied.deleted === 0) return { ...emptied, receipt: undefined }
    const erasure = { ...caller, ...begun, selector: { confirm: 'all' }, requestedAt }
    return { ...emptied, receipt: await issuer.issue(trx, erasure) }
  })
  spaces.drop(caller.spaceId)
  return { message: `${deleted} ${deleted === 1 ? 'pattern' : 'patterns'} deleted`, receipt }
}

async function getRow({ queries }: Reading, caller: Caller, id: string): Promise<PatternRow> {
  const row = isPatternId(id) ? await findPattern(queries, caller.spaceId, id) : undefined
  if (row === undefined) throw new ApiError('pattern_not_found')
  return row
}
