import type { Queries, Trx } from '../platform/database/database.ts'
import { asTask } from '../platform/database/database.ts'

export interface NewReceipt {
  id: string
  organizationId: string
  spaceId: string | null
  receipt: string
}

/** A receipt as it is listed. */
export interface ReceiptRow {
  n: number
  receipt: string
  created_at: Date
}

/** @param trx a transaction of the organization */
export async function insertReceipt(
  trx: Trx,
  { id, organizationId, spaceId, receipt }: NewReceipt,
): Promise<void> {
  await trx
    .withSchema('app')
    .insertInto('receipts')
    .values({ id, organization_id: organizationId, space_id: spaceId, receipt })
    .execute()
}

/**
 * Up to `count` receipts of a space, newest first.
 * @param before the `n` that they come before; undefined for the newest
 * @param trx a transaction of the organization
 */
export function listReceipts(
  trx: Trx,
  { organizationId, spaceId }: { organizationId: string; spaceId: string },
  before: number | undefined,
  count: number,
): Promise<ReceiptRow[]> {
  // The policies alone would have every receipt looked at.
  return trx
    .withSchema('app')
    .selectFrom('receipts')
    .select(['n', 'receipt', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .$if(before !== undefined, (query) => query.where('n', '<', before as number))
    .orderBy('n', 'desc')
    .limit(count)
    .execute()
}

/** A receipt with whose it is. */
export interface ReceiptOfAny extends ReceiptRow {
  organization_id: string
  /** Null once the organization is erased. */
  organization_name: string | null
}

/**
 * Up to `count` receipts of all organizations, or of one, newest first, also of those that are erased. For operators.
 * @param before the `n` that they come before; undefined for the newest
 */
export function listAllReceipts(
  queries: Queries,
  organizationId: string | undefined,
  before: number | undefined,
  count: number,
): Promise<ReceiptOfAny[]> {
  return asTask(queries, 'administer-accounts', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('receipts as r')
      .leftJoin('organizations as o', 'o.id', 'r.organization_id')
      .select(['r.n', 'r.receipt', 'r.created_at', 'r.organization_id', 'o.name as organization_name'])
      .$if(organizationId !== undefined, (query) =>
        query.where('r.organization_id', '=', organizationId as string),
      )
      .$if(before !== undefined, (query) => query.where('r.n', '<', before as number))
      .orderBy('r.n', 'desc')
      .limit(count)
      .execute(),
  )
}

/** Whether a receipt is one of the organization's, letter by letter. @param trx a transaction of the organization */
export async function isStoredReceipt(trx: Trx, id: string, receipt: string): Promise<boolean> {
  const row = await trx
    .withSchema('app')
    .selectFrom('receipts')
    .select('id')
    .where('id', '=', id)
    .where('receipt', '=', receipt)
    .executeTakeFirst()
  return row !== undefined
}

/** Every receipt of an organization, newest first, also of one that is erased. For operators. */
export function receiptsOfOrganization(queries: Queries, organizationId: string): Promise<ReceiptRow[]> {
  return asTask(queries, 'administer-accounts', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('receipts')
      .select(['n', 'receipt', 'created_at'])
      .where('organization_id', '=', organizationId)
      .orderBy('n', 'desc')
      .execute(),
  )
}
