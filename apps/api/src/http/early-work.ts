import type { Compute } from '@memory/memory/compute'
import type { EarlySearches } from '@memory/memory/vectors/early-searches'
import type { Caller, ExpectedSearch, Urgency } from '@memory/shared/catalogue/operation'
import { LRUCache } from 'lru-cache'

/** Keys remembered: more than are in use at a time on one process. */
const keysMax = 10_000

type Known = Pick<Caller, 'organizationId' | 'spaceId'>

/**
 * Begins to encode a request's text, or to search with its vector, while its key is being looked up, when that key was
 * good for a request a moment ago. It decides nothing: the request waits for its authentication as ever, and takes over
 * what was begun. A key that is refused is forgotten, so that it makes work once at most.
 */
export class EarlyWork {
  readonly #compute: Pick<Compute, 'foresee'>
  readonly #searches: Pick<EarlySearches, 'begin'>
  readonly #callers = new LRUCache<string, Known>({ max: keysMax })

  constructor(compute: Pick<Compute, 'foresee'>, searches: Pick<EarlySearches, 'begin'>) {
    this.#compute = compute
    this.#searches = searches
  }

  encode(keyHash: string, { text, urgency }: { text: string; urgency: Urgency }, signal: AbortSignal): void {
    const known = this.#callers.get(keyHash)
    if (known === undefined) return
    this.#compute.foresee({ organizationId: known.organizationId, signal }, text, urgency)
  }

  search(keyHash: string, expected: ExpectedSearch, signal: AbortSignal): void {
    const known = this.#callers.get(keyHash)
    if (known !== undefined) this.#searches.begin({ ...known, signal }, expected)
  }

  accepted(keyHash: string, { organizationId, spaceId }: Known): void {
    this.#callers.set(keyHash, { organizationId, spaceId })
  }

  refused(keyHash: string): void {
    this.#callers.delete(keyHash)
  }
}
