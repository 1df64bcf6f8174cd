import type { Queries, Trx } from '../platform/database/database.ts'
import { asTask } from '../platform/database/database.ts'

export interface NewReceipt {
  id: string
  organizationId: string
  spaceId: string | null
  receipt: string
}

/** A receipt in a list. */
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
 * @param before only receipts with a smaller `n`; undefined: from the newest on
 * @param trx a transaction of the organization
 */
export function listReceipts(
  trx: Trx,
  { organizationId, spaceId }: { organizationId: string; spaceId: string },
  before: number | undefined,
  count: number,
): Promise<ReceiptRow[]> {
  // The conditions let an index be used. With the row level security policies alone, every receipt would be read.
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

/** A receipt with its organization. */
export interface ReceiptOfAny extends ReceiptRow {
  organization_id: string
  /** Null when the organization has been erased. */
  organization_name: string | null
}

/**
 * Up to `count` receipts of all organizations or of one, newest first, including erased organizations. For operators.
 * @param before only receipts with a smaller `n`; undefined: from the newest on
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

/** Whether exactly this receipt is stored for the organization. @param trx a transaction of the organization */
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

/** All receipts of an organization, even an erased one, newest first. For operators. */
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
