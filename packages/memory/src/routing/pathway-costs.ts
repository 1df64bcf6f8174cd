import { parameters } from '@memory/engine/parameters'
import { type Pathway, pathways } from '@memory/engine/routing'

/** What the latest measurement counts: the mean then covers about the last twenty. */
const rate = 0.05

/** One slow answer, of a process that was kept waiting, is no property of its pathway. */
const outlier = 10

/** How long pathways take in this process: a moving mean for each, in ms, from what is typical on. */
export class PathwayCosts {
  readonly #means: Record<Pathway, number> = { ...parameters.routing.typicalMs }

  /** Takes a measurement in. What is no time is ignored. */
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
