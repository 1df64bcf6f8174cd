import type { Clock } from '@memory/shared/platform/clock'
import { VersionedCache } from './versioned-cache.ts'

/** A copy of a space without the patterns that have expired. */
export interface Expiring {
  readonly version: number
  /**
   * Removes what has expired.
   * @returns false where the clock was set back since something was left out: what hasn't expired may be missing
   */
  expire(now: Date): boolean
}

/** Copies of spaces in memory, out of which patterns go as they expire. */
export abstract class ExpiringCache<Copy extends Expiring> extends VersionedCache<Copy> {
  protected readonly clock: Clock

  constructor(budget: number, clock: Clock) {
    super(budget)
    this.clock = clock
  }

  /** A copy of a space with every change up to `version`, without expired patterns. @throws what reading it throws */
  override async get(spaceId: string, version: number): Promise<Copy> {
    for (;;) {
      const copy = await super.get(spaceId, version)
      if (copy.expire(this.clock.now())) return copy
      // Another caller may have had it read anew by now.
      if (this.peek(spaceId) === copy) this.release(spaceId)
    }
  }
}
