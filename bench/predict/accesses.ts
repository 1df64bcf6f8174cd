import { randomFrom } from '../support/random.ts'

/** One access to a fact. */
export interface Access {
  actor: string
  /** Number of the fact. */
  fact: number
  /** The actor's access before it; undefined for the first. */
  after: number | undefined
  /** The step after the one before in a routine: what can be known. The rest is chance. */
  isForeseeable: boolean
}

export interface Routines {
  facts: number
  routines: number
  /** Fewest and most steps of one. */
  steps: readonly [number, number]
  actors: number
  /** Share of accesses to any fact, in between the steps of a routine. */
  noise: number
  accesses: number
}

/** Actors follow routines that they all know, one after the other, each at its own pace. */
export function makeAccesses(
  { facts, routines: routineCount, steps, actors, noise, accesses }: Routines,
  seed: number,
): Access[] {
  const random = randomFrom(seed)
  const below = (end: number) => Math.floor(random() * end)
  const [fewest, most] = steps
  const routines = Array.from({ length: routineCount }, () => {
    const length = fewest + below(most - fewest + 1)
    const chosen = new Set<number>()
    while (chosen.size < length) chosen.add(below(facts))
    return [...chosen]
  })
  const people = Array.from({ length: actors }, (_, i) => ({
    actor: `actor-${i}`,
    routine: [] as number[],
    step: 0,
    wasStep: false,
    last: undefined as number | undefined,
  }))
  return Array.from({ length: accesses }, () => {
    const one = people[below(actors)] as (typeof people)[number]
    const isNoise = random() < noise
    const begins = one.step === one.routine.length
    if (!isNoise && begins) {
      one.routine = routines[below(routineCount)] as number[]
      one.step = 0
    }
    const fact = isNoise ? below(facts) : (one.routine[one.step++] as number)
    const isForeseeable = !isNoise && !begins && one.wasStep
    const access = { actor: one.actor, fact, after: one.last, isForeseeable }
    one.wasStep = !isNoise
    one.last = fact
    return access
  })
}
