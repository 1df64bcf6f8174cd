import { parameters } from '@memory/engine/parameters'
import { type Pathway, pathways } from '@memory/engine/routing'

/** Weight of the latest measurement in the moving mean, which so covers about the last twenty. */
const rate = 0.05

/**
 * A measurement counts as at most this many times the mean: one very slow answer says more about the process than the pathway.
 */
const outlier = 10

/** How long pathways take in this process: a moving mean for each, in ms, which starts at `typicalMs`. */
export class PathwayCosts {
  readonly #means: Record<Pathway, number> = { ...parameters.routing.typicalMs }

  /** Adds a measurement. Negative and infinite ones, and NaN, are ignored. */
  record(pathway: Pathway, ms: number): void {
    if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) return
    const mean = this.#means[pathway]
    this.#means[pathway] = mean + rate * (Math.min(ms, outlier * mean) - mean)
  }

  of(pathway: Pathway): number {
    return this.#means[pathway]
  }

  get all(): Record<Pathway, number> {
    return Object.fromEntries(pathways.map((name) => [name, this.#means[name]])) as Record<Pathway, number>
  }
}
