import type { Urgency } from '@memory/shared/catalogue/operation'
import type { Compute } from '@memory/shared/memory/compute'
import { LRUCache } from 'lru-cache'

/** Keys remembered: more than are in use at a time on one process. */
const keysMax = 10_000

/**
 * Begins to encode a request's text while its key is being looked up, when that key was good for a request a moment
 * ago. It decides nothing: the request waits for its authentication as ever, and takes over what was begun. A key that
 * is refused is forgotten, so that it makes work once at most.
 */
export class EarlyEncoding {
  readonly #compute: Pick<Compute, 'foresee'>
  readonly #organizationOf = new LRUCache<string, string>({ max: keysMax })

  constructor(compute: Pick<Compute, 'foresee'>) {
    this.#compute = compute
  }

  begin(keyHash: string, { text, urgency }: { text: string; urgency: Urgency }, signal: AbortSignal): void {
    const organizationId = this.#organizationOf.get(keyHash)
    if (organizationId === undefined) return
    this.#compute.foresee({ organizationId, signal }, text, urgency)
  }

  accepted(keyHash: string, organizationId: string): void {
    this.#organizationOf.set(keyHash, organizationId)
  }

  refused(keyHash: string): void {
    this.#organizationOf.delete(keyHash)
  }
}
