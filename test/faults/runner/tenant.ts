import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Balancer, Outcome, Sent } from './balancer.ts'
import { type Row, TenantModel } from './model.ts'

/** An organization of the service, as its owner's programs see it. */
export class Tenant {
  readonly name: string
  readonly organizationId: string
  readonly model: TenantModel
  /** Failed payments that were reported of it: each is one event for its webhook. */
  payments = 0
  readonly #key: string
  readonly #balancer: Balancer

  private constructor(name: string, organizationId: string, key: string, balancer: Balancer) {
    this.name = name
    this.organizationId = organizationId
    this.model = new TenantModel(name)
    this.#key = key
    this.#balancer = balancer
  }

  /** Registers an organization with an API key and a webhook for failed payments. */
  static async register(name: string, balancer: Balancer, receiverUrl: string): Promise<Tenant> {
    const ask = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const outcome = await balancer.send({ method: 'POST', path, body, headers })
      if (outcome.kind === 'answered' && outcome.status < 300) return outcome.body
      throw new Error(`${path} failed: ${JSON.stringify(outcome)}`)
    }
    const account = { email: `${randomUUID()}@example.com`, password: `a password ${randomUUID()}` }
    const user = await ask('/v1/auth/register', account)
    const { key } = await ask('/v1/api-keys', { name }, { Authorization: `Bearer ${user.access_token}` })
    const webhook = { url: `${receiverUrl}/${name}`, event_types: ['billing.payment_failed'] }
    await ask('/v1/webhooks', webhook, { 'X-API-Key': String(key) })
    return new Tenant(name, String(user.organization_id), String(key), balancer)
  }

  send(request: Sent): Promise<Outcome> {
    const headers = { 'X-API-Key': this.#key, ...request.headers }
    return this.#balancer.send({ ...request, headers })
  }

  /** All that its memory holds. */
  async list(): Promise<Row[]> {
    const rows: Row[] = []
    for (let cursor = ''; ; ) {
      const page = await this.#read(`/v1/memory/patterns?limit=200${cursor}`)
      for (const each of page.patterns as { pattern_id: string; metadata: Omit<Row, 'id'> }[]) {
        const { tenant, name, version } = each.metadata
        rows.push({ id: each.pattern_id, tenant, name, version })
      }
      if (page.next_cursor === null) return rows
      cursor = `&cursor=${encodeURIComponent(String(page.next_cursor))}`
    }
  }

  /** How many failed payments its notifications tell of. */
  async notifiedPayments(): Promise<number> {
    let told = 0
    for (let page = 1; ; page++) {
      const { data, pagination } = await this.#read(`/v1/notifications?per_page=100&page=${page}`)
      told += (data as { type: string }[]).filter(({ type }) => type === 'payment_failed').length
      if (page >= (pagination as { total_pages: number }).total_pages) return told
    }
  }

  async #read(path: string): Promise<Record<string, unknown>> {
    const outcome = await this.send({ method: 'GET', path })
    if (outcome.kind === 'answered' && outcome.status === 200) return outcome.body
    throw new Error(`${path} failed: ${JSON.stringify(outcome)}`)
  }
}

/** A payment provider's report of a failed payment, signed; the same id again is the same report. */
export function paymentFailed(tenant: Tenant, secret: string, id: string): Sent {
  const now = new Date()
  const body = {
    type: 'invoice.payment_failed',
    timestamp: now.toISOString(),
    data: { organization_id: tenant.organizationId, invoice: id },
  }
  return {
    method: 'POST',
    path: '/v1/billing/webhook',
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, now, JSON.stringify(body)),
    },
  }
}
