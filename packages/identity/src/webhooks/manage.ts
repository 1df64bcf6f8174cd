import { type AuditEntry, recordAudit } from '@memory/shared/audit/audit'
import { differing } from '@memory/shared/audit/differing'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import { isUuid } from '@memory/shared/catalogue/fields-parsing'
import { limits } from '@memory/shared/catalogue/limits'
import type { NotifiedEvent } from '@memory/shared/catalogue/notifications'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { type AddressGate, type Refusal, TargetRefused } from './address-gate.ts'
import type { WebhooksContext } from './context.ts'
import { asDecider, requireAdministrator } from './decider.ts'
import * as deliveries from './delivery-store.ts'
import type * as schema from './schema.ts'
import { newSecret } from './secret.ts'
import * as store from './store.ts'

/** A secret that was replaced signs for this long yet. */
const replacedMs = 24 * 3_600_000

/** The organization's webhooks, oldest first. */
export function listWebhooks(
  { queries }: { queries: Queries },
  { organizationId }: Caller,
): Promise<Output<typeof schema.ListWebhooks>> {
  return asTenant(queries, { organizationId }, async (trx) => ({
    webhooks: (await store.list(trx, organizationId)).map(toWebhook),
  }))
}

/** @throws ApiError webhook_not_found */
export function getWebhook(
  { queries }: { queries: Queries },
  { organizationId }: Caller,
  webhookId: string,
): Promise<Output<typeof schema.GetWebhook>> {
  const id = idOf(organizationId, webhookId)
  return asTenant(queries, { organizationId }, async (trx) => toWebhook(required(await store.find(trx, id))))
}

/** @throws ApiError organization_admin_required, webhooks_full; ValidationError for a URL that may lead nowhere */
export async function createWebhook(
  { queries, secrets, clock, gate }: WebhooksContext,
  caller: Caller,
  { url, event_types, description }: Input<typeof schema.CreateWebhook>['body'],
): Promise<Output<typeof schema.CreateWebhook>> {
  requireAdministrator(caller)
  await requirePublic(gate, url)
  const { organizationId } = caller
  return asDecider(queries, caller, async (trx) => {
    // The organization is locked, so the count stays true.
    if ((await store.count(trx, organizationId)) >= limits.webhooks) throw new ApiError('webhooks_full')
    const row = await store.insert(trx, organizationId, {
      url,
      event_types: distinct(event_types ?? null),
      description: description ?? null,
    })
    const made = newSecret(secrets)
    await store.replaceSecret(trx, { organizationId, webhookId: row.id }, made, clock.now())
    await recordAudit(trx, entryOf(caller, 'webhook_created', row))
    return { ...toWebhook(row), secret: made.secret }
  })
}

/** @throws ApiError organization_admin_required, webhook_not_found; ValidationError */
export async function changeWebhook(
  { queries, gate }: Pick<WebhooksContext, 'queries' | 'gate'>,
  caller: Caller,
  webhookId: string,
  { url, event_types, description, status }: Input<typeof schema.ChangeWebhook>['body'],
): Promise<Output<typeof schema.ChangeWebhook>> {
  requireAdministrator(caller)
  const { organizationId } = caller
  const id = idOf(organizationId, webhookId)
  // Foreign webhooks are unknown before the URL says anything.
  const before = await asTenant(queries, { organizationId }, (trx) => store.find(trx, id))
  if (url !== undefined && required(before).url !== url) await requirePublic(gate, url)
  // Of a disabled one: what waited then is not sent any more, also where nobody has given it up yet, as after a takeover.
  if (status === 'active') await deliveries.giveUpPending(queries, id)
  const webhook = await asDecider(queries, caller, async (trx) => {
    const row = required(await store.lock(trx, id))
    const given = {
      ...(url !== undefined && { url }),
      ...(event_types !== undefined && { event_types: distinct(event_types) }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
    }
    const change = differing(given, row)
    if (Object.keys(change).length === 0) return toWebhook(row)
    const changed = await store.change(trx, id, change)
    await recordAudit(trx, {
      ...entryOf(caller, 'webhook_updated', changed),
      details: { host: hostOf(changed.url), changed: Object.keys(change) },
    })
    return toWebhook(changed)
  })
  // Also when it was disabled before: a request that is sent again goes on with what the first did not get to.
  if (status === 'disabled') await deliveries.giveUpPending(queries, id)
  return webhook
}

/**
 * Deletes a webhook when it has no deliveries left; these go before, some in each transaction.
 * @throws ApiError organization_admin_required, webhook_not_found
 */
export async function deleteWebhook(
  { queries }: Pick<WebhooksContext, 'queries'>,
  caller: Caller,
  webhookId: string,
): Promise<Output<typeof schema.DeleteWebhook>> {
  const goOn = () =>
    asDecider(queries, caller, async (trx) => {
      const id = idOf(caller.organizationId, webhookId)
      const row = required(await store.lock(trx, id))
      if (await deliveries.removeSome(trx, id)) return true
      await store.remove(trx, id)
      await recordAudit(trx, entryOf(caller, 'webhook_deleted', row))
      return false
    })
  while (await goOn());
  return { message: 'Webhook deleted' }
}

/** @throws ApiError organization_admin_required, webhook_not_found */
export function rotateWebhookSecret(
  { queries, secrets, clock }: Pick<WebhooksContext, 'queries' | 'secrets' | 'clock'>,
  caller: Caller,
  webhookId: string,
): Promise<Output<typeof schema.RotateWebhookSecret>> {
  return asDecider(queries, caller, async (trx) => {
    const id = idOf(caller.organizationId, webhookId)
    const row = required(await store.lock(trx, id))
    const made = newSecret(secrets)
    await store.replaceSecret(trx, id, made, new Date(clock.now().getTime() + replacedMs))
    await recordAudit(trx, entryOf(caller, 'secret_rotated', row))
    return { ...toWebhook(row), secret: made.secret }
  })
}

/** @throws ApiError webhook_not_found for what can be no id */
export function idOf(organizationId: string, webhookId: string): store.WebhookId {
  if (!isUuid(webhookId)) throw new ApiError('webhook_not_found')
  return { organizationId, webhookId }
}

/** @throws ApiError webhook_not_found */
export function required<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ApiError('webhook_not_found')
  return row
}

/** What the rules are called that an address has to keep to. */
const ruleNames: Record<Refusal, string> = {
  credentials: 'url_credentials',
  'not https': 'url_https',
  'port 0': 'url_public',
  'no host name': 'url_public',
  'no full name': 'url_public',
  'not public': 'url_public',
  'does not resolve': 'url_resolves',
}

async function requirePublic(gate: AddressGate, url: string): Promise<void> {
  try {
    await gate.admit(new URL(url))
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error
    throw ValidationError.rule(
      ['body', 'url'],
      `the URL ${error.message}`,
      undefined,
      ruleNames[error.refusal],
    )
  }
}

const distinct = (types: NotifiedEvent[] | null) => types && [...new Set(types)]

/** The path of a URL may be a secret. */
const hostOf = (url: string) => new URL(url).host

function entryOf(
  { actor, origin, organizationId }: Caller,
  action: AuditEntry['action'],
  { id, url }: store.WebhookRow,
): AuditEntry {
  return {
    action,
    actor,
    origin,
    organizationId,
    target: id,
    details: { host: hostOf(url) },
  }
}

function toWebhook(row: store.WebhookRow): Output<typeof schema.GetWebhook> {
  const { id, url, event_types, description, status, created_at } = row
  return {
    id,
    url,
    // Checked before they are stored.
    event_types: event_types as NotifiedEvent[] | null,
    description,
    status,
    created_at: created_at.toISOString(),
  }
}
