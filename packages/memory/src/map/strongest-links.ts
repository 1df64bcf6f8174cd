import { faded } from '@memory/engine/learning/association'
import { limits } from '@memory/shared/catalogue/limits'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { SpaceLearning } from '../learning/space-learning.ts'

/** An association between two places of a map's lists, with its weight as it was at a time. */
export interface MapLink {
  from: number
  to: number
  weight: number
  /** Ms since 1970. */
  at: number
}

/** The strongest associations between the patterns of a map, the strongest first, as of one version of what was learned. */
export interface MapLinks {
  version: number
  links: readonly MapLink[]
}

/** Patterns whose associates are gone through at once, and how many of these are held at most before they are sorted. */
const associatedAtOnce = 500
const linksHeld = 8 * limits.mapAssociations

/** All fade alike, so that their order stays the same as long as nothing is learned. */
export async function strongestLinks(
  indexes: Int32Array,
  learned: SpaceLearning,
  now: number,
): Promise<MapLinks> {
  // Learned from meanwhile, it is of a later version, for which it is gone through anew.
  const { version } = learned
  const places = new Map(Array.from(indexes, (idx, place) => [idx, place]))
  let found: (MapLink & { strength: number })[] = []
  const keepStrongest = () => {
    found = found
      .sort((a, b) => b.strength - a.strength || a.from - b.from || a.to - b.to)
      .slice(0, limits.mapAssociations)
  }
  let seen = 0
  for (const [idx, from] of places) {
    for (const [other, { weight, at }] of learned.associatesOf(idx)) {
      const to = places.get(other)
      // Both patterns know of it.
      if (to !== undefined && to > from)
        found.push({ from, to, weight, at, strength: faded(weight, at, now) })
    }
    if (found.length > linksHeld) keepStrongest()
    if (++seen % associatedAtOnce === 0) await yieldToEventLoop(2)
  }
  keepStrongest()
  return { version, links: found.map(({ from, to, weight, at }) => ({ from, to, weight, at })) }
}
