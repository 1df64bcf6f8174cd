import { limits } from '@memory/shared/catalogue/limits'
import { LRUCache } from 'lru-cache'

/** A receiver that takes longer than this to answer counts as slow. */
export const slowAfterMs = 1_000
/** For this long after a slow answer, the organization's other unknown receivers are expected to be slow too. */
const rememberedMs = 10 * 60_000
/** The most organizations that are remembered, the latest ones. */
const organizationsMax = 10_000

interface Webhook {
  organizationId: string
  webhookId: string
}

/** What is expected of receivers that wait for deliveries. */
export interface Suspects {
  /** Organizations with a slow receiver: their webhooks are taken for slow, but for `quickWebhookIds`. */
  organizationIds: string[]
  /** Webhooks of those organizations that answered quickly. */
  quickWebhookIds: string[]
}

/**
 * Remembers how quickly receivers answered this process. An unknown receiver is expected to be quick, unless another one of its
 * organization was slow recently: so an organization can't occupy many quick slots with many new webhooks that hang.
 */
export class ReceiverSpeeds {
  /** When a receiver of an organization was slow last. */
  readonly #slowAt = new LRUCache<string, number>({ max: organizationsMax })
  /** Webhooks of an organization whose last attempt was answered quickly; the latest comes last. */
  readonly #quick = new LRUCache<string, Set<string>>({ max: organizationsMax })

  recordQuick({ organizationId, webhookId }: Webhook): void {
    const quick = this.#quick.get(organizationId) ?? new Set()
    quick.delete(webhookId)
    quick.add(webhookId)
    for (const oldest of quick) {
      if (quick.size <= limits.webhooks) break
      quick.delete(oldest)
    }
    this.#quick.set(organizationId, quick)
  }

  /** @param now in ms, on a clock that goes forward only */
  recordSlow({ organizationId, webhookId }: Webhook, now: number): void {
    this.#slowAt.set(organizationId, now)
    this.#quick.get(organizationId)?.delete(webhookId)
  }

  /** Whether a receiver is expected to be slow. */
  isSlow({ organizationId, webhookId }: Webhook, now: number): boolean {
    return this.#isSuspect(organizationId, now) && this.#quick.get(organizationId)?.has(webhookId) !== true
  }

  suspects(now: number): Suspects {
    const organizationIds = [...this.#slowAt.keys()].filter((id) => this.#isSuspect(id, now))
    return {
      organizationIds,
      quickWebhookIds: organizationIds.flatMap((id) => [...(this.#quick.get(id) ?? [])]),
    }
  }

  #isSuspect(organizationId: string, now: number): boolean {
    const slowAt = this.#slowAt.peek(organizationId)
    if (slowAt === undefined) return false
    if (now - slowAt <= rememberedMs) return true
    this.#slowAt.delete(organizationId)
    return false
  }
}
