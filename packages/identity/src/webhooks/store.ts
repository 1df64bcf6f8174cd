import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** A webhook of the transaction's tenant. */
export interface WebhookId {
  organizationId: string
  webhookId: string
}

const shown = ['id', 'url', 'event_types', 'description', 'status', 'created_at'] as const

const ofOrganization = (trx: Trx, organizationId: string) =>
  trx.withSchema('app').selectFrom('webhooks').select(shown).where('organization_id', '=', organizationId)

/** Oldest first. */
export function list(trx: Trx, organizationId: string) {
  return ofOrganization(trx, organizationId).orderBy('created_at').orderBy('id').execute()
}

export type WebhookRow = Awaited<ReturnType<typeof list>>[number]

/**
 * The row stays as it is until the transaction ends. Who also changes deliveries of the webhook locks it before them: in another
 * order two could wait for each other.
 */
export function lock(trx: Trx, { organizationId, webhookId }: WebhookId): Promise<WebhookRow | undefined> {
  return ofOrganization(trx, organizationId).where('id', '=', webhookId).forNoKeyUpdate().executeTakeFirst()
}

export function find(trx: Trx, { organizationId, webhookId }: WebhookId): Promise<WebhookRow | undefined> {
  return ofOrganization(trx, organizationId).where('id', '=', webhookId).executeTakeFirst()
}

export async function count(trx: Trx, organizationId: string): Promise<number> {
  const { count } = await trx
    .withSchema('app')
    .selectFrom('webhooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

export interface NewWebhook {
  url: string
  event_types: string[] | null
  description: string | null
}

export function insert(trx: Trx, organizationId: string, webhook: NewWebhook): Promise<WebhookRow> {
  return trx
    .withSchema('app')
    .insertInto('webhooks')
    .values({ organization_id: organizationId, ...webhook })
    .returning(shown)
    .executeTakeFirstOrThrow()
}

export function change(
  trx: Trx,
  { organizationId, webhookId }: WebhookId,
  changed: Partial<NewWebhook & { status: 'active' | 'disabled' }>,
): Promise<WebhookRow> {
  return trx
    .withSchema('app')
    .updateTable('webhooks')
    .set(changed)
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .returning(shown)
    .executeTakeFirstOrThrow()
}

/** Removes a webhook with its secrets. Its deliveries go before. */
export async function remove(trx: Trx, { organizationId, webhookId }: WebhookId): Promise<void> {
  await trx
    .withSchema('app')
    .deleteFrom('webhooks')
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .execute()
}

/**
 * Lets a secret take the place of the one that holds, if there is one, which signs until `until` yet; those that were
 * replaced before are removed.
 */
export async function replaceSecret(
  trx: Trx,
  { organizationId, webhookId }: WebhookId,
  { id, sealed }: { id: string; sealed: Uint8Array },
  until: Date,
): Promise<void> {
  const table = trx.withSchema('app')
  await table
    .deleteFrom('webhook_secrets')
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('expires_at', 'is not', null)
    .execute()
  await table
    .updateTable('webhook_secrets')
    .set({ expires_at: until })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .execute()
  await table
    .insertInto('webhook_secrets')
    .values({ organization_id: organizationId, webhook_id: webhookId, id, secret: sealed })
    .execute()
}
