import { limits } from '../catalogue/limits.ts'

/** A receiver that takes longer to answer is slow. */
export const slowAfterMs = 1_000
/** For so long an organization with a slow receiver gets no benefit of the doubt for others of its receivers. */
const rememberedMs = 10 * 60_000
/** Organizations that are remembered: those that were heard of last. */
const organizationsMax = 10_000

interface Webhook {
  organizationId: string
  webhookId: string
}

interface Pace {
  /** When a receiver of the organization was slow last. */
  slowAt: number
  /** Webhooks whose last attempt was answered quickly; the latest comes last. */
  quick: Set<string>
}

/** What is expected of receivers that wait for deliveries. */
export interface Suspects {
  /** Organizations with a slow receiver: all of their webhooks are taken for slow, */
  organizationIds: string[]
  /** but for these. */
  quickWebhookIds: string[]
}

/**
 * How quickly receivers answered this process. One of which nothing is known is taken for quick, unless another one of
 * its organization was slow lately: so an organization can't hold many slots by many new webhooks that hang.
 */
export class Paces {
  readonly #paces = new Map<string, Pace>()

  noteQuick({ organizationId, webhookId }: Webhook): void {
    const { quick } = this.#paceOf(organizationId)
    quick.delete(webhookId)
    quick.add(webhookId)
    for (const oldest of quick) {
      if (quick.size <= limits.webhooks) break
      quick.delete(oldest)
    }
  }

  /** @param now in ms, on a clock that goes forward only */
  noteSlow({ organizationId, webhookId }: Webhook, now: number): void {
    const pace = this.#paceOf(organizationId)
    pace.slowAt = now
    pace.quick.delete(webhookId)
  }

  /** Whether a receiver is expected to be slow. */
  isSlow({ organizationId, webhookId }: Webhook, now: number): boolean {
    const pace = this.#paces.get(organizationId)
    return pace !== undefined && now - pace.slowAt <= rememberedMs && !pace.quick.has(webhookId)
  }

  suspects(now: number): Suspects {
    const found: Suspects = { organizationIds: [], quickWebhookIds: [] }
    for (const [organizationId, { slowAt, quick }] of this.#paces) {
      if (now - slowAt > rememberedMs) continue
      found.organizationIds.push(organizationId)
      found.quickWebhookIds.push(...quick)
    }
    return found
  }

  /** The entry of an organization, which becomes the latest one. */
  #paceOf(organizationId: string): Pace {
    const pace = this.#paces.get(organizationId) ?? { slowAt: Number.NEGATIVE_INFINITY, quick: new Set() }
    this.#paces.delete(organizationId)
    this.#paces.set(organizationId, pace)
    for (const oldest of this.#paces.keys()) {
      if (this.#paces.size <= organizationsMax) break
      this.#paces.delete(oldest)
    }
    return pace
  }
}
