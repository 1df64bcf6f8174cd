import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { pageOf, startOf } from '@memory/shared/catalogue/pages'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { type Numbered, openNumber, sealNumber } from '@memory/shared/platform/sealed-numbers'
import type { Secrets } from '@memory/shared/platform/secrets'
import * as kept from '@memory/shared/receipts/kept-receipts'
import { idsHash, type ReceiptClaims } from '@memory/shared/receipts/receipt'
import type { MemoryContext } from '../context.ts'
import { countPatterns } from './erasure-store.ts'
import type { ListAllReceipts, ListReceipts, VerifyReceipt } from './schema.ts'
import { isSelectorOf } from './selector.ts'

type Listing = Pick<MemoryContext, 'queries'> & { secrets: Secrets }

/** A page of the receipts of a space. @throws ValidationError for a cursor that no page gave */
export async function listReceipts(
  { queries, secrets }: Listing,
  { organizationId, spaceId }: Caller,
  { cursor, limit }: Input<typeof ListReceipts>['query'],
): Promise<Output<typeof ListReceipts>> {
  const numbered: Numbered = { list: 'receipts', of: spaceId }
  const before = startOf(cursor, (given) => openNumber(secrets, numbered, given))
  const list = (trx: Trx) => kept.listReceipts(trx, { organizationId, spaceId }, before, limit + 1)
  const rows = await asTenant(queries, { organizationId }, list, { inOrder: true })
  const { page, next_cursor } = pageOf(rows, limit, ({ n }) => sealNumber(secrets, numbered, n))
  return { receipts: page.map(({ receipt }) => ({ receipt, claims: claimsOf(receipt) })), next_cursor }
}

/** A page of the receipts of all, for who runs the service. @throws ValidationError for a cursor that no page gave */
export async function listAllReceipts(
  { queries, secrets }: Listing,
  { organization_id, cursor, limit }: Input<typeof ListAllReceipts>['query'],
): Promise<Output<typeof ListAllReceipts>> {
  const numbered: Numbered = { list: 'receipts-of-all', of: organization_id ?? '' }
  const before = startOf(cursor, (given) => openNumber(secrets, numbered, given))
  const rows = await kept.listAllReceipts(queries, organization_id, before, limit + 1)
  const { page, next_cursor } = pageOf(rows, limit, ({ n }) => sealNumber(secrets, numbered, n))
  const receipts = page.map(({ receipt, organization_name }) => ({
    ...{ receipt, organization_name },
    claims: claimsOf(receipt),
  }))
  return { receipts, next_cursor }
}

/** What a receipt of our own says, whose signature need not be checked. */
const claimsOf = (receipt: string): ReceiptClaims =>
  JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString())

type Verified = Output<typeof VerifyReceipt>

/** Checks a receipt, and whether patterns that it is about are there. */
export async function verifyReceipt(
  { queries, receipts }: Pick<MemoryContext, 'queries' | 'receipts'>,
  { organizationId, spaceId }: Caller,
  { receipt, pattern_ids, selector }: Input<typeof VerifyReceipt>['body'],
): Promise<Verified> {
  // As a file has it, with a newline at its end.
  const presented = receipt.trim()
  const claims = await receipts.read(presented)
  if (claims === undefined) return invalid('signature')
  if (claims.org !== organizationId) return invalid('organization')
  return asTenant(queries, { organizationId, spaceId: claims.space ?? spaceId }, async (trx) => {
    if (!(await kept.isStoredReceipt(trx, claims.jti, presented))) return { ...invalid('unknown'), claims }
    const remaining = pattern_ids === undefined ? null : await countPatterns(trx, pattern_ids)
    const fault = faultOfIds(claims, pattern_ids, remaining)
    return {
      valid: fault === null,
      fault,
      checked_ids: pattern_ids !== undefined,
      remaining,
      selector_matches: selector == null ? null : isSelectorOf(claims.selector_sha256, selector),
      claims,
    }
  })
}

function faultOfIds(
  claims: ReceiptClaims,
  ids: readonly string[] | undefined,
  remaining: number | null,
): Verified['fault'] {
  if (ids === undefined) return null
  if (idsHash(ids) !== claims.ids_sha256) return 'other_ids'
  return remaining === 0 ? null : 'still_there'
}

const invalid = (fault: Verified['fault']): Verified => ({
  valid: false,
  fault,
  checked_ids: false,
  remaining: null,
  selector_matches: null,
  claims: null,
})
