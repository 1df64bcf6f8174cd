import { type Length, lengths, TextSource } from '../support/texts.ts'

/** How much a round does. */
export interface Plan {
  rounds: number
  /** Texts stored by batch-store before anything else: the small space. */
  preload: Record<Length, number>
  /** Single requests of each kind. */
  requests: Record<Length, number>
  /** Queries before any request is measured; before stores a third as many. */
  warmUp: number
  /** Requests of each kind back to back, with medium texts. */
  backToBack: number
}

export const fullPlan: Plan = {
  rounds: 3,
  preload: { short: 400, medium: 500, long: 100 },
  requests: { short: 100, medium: 100, long: 30 },
  warmUp: 1_500,
  backToBack: 200,
}

export const quickPlan: Plan = {
  rounds: 1,
  preload: { short: 100, medium: 100, long: 50 },
  requests: { short: 20, medium: 20, long: 10 },
  warmUp: 300,
  backToBack: 40,
}

/** How many connections send requests back to back. */
export const connectionCounts = [1, 4] as const

export type Connections = (typeof connectionCounts)[number]

/** The texts of one round, the same for the service and its peers; none occurs twice. */
export interface RoundTexts {
  preload: Record<Length, string[]>
  stores: Record<Length, string[]>
  queries: Record<Length, string[]>
  backToBack: Record<Connections, { stores: string[]; queries: string[] }>
  warmUp: string[]
}

export function roundTexts(plan: Plan, seed: number): RoundTexts {
  const source = new TextSource(seed)
  const take = (counts: Record<Length, number>) =>
    Object.fromEntries(lengths.map((length) => [length, source.take(length, counts[length])])) as Record<
      Length,
      string[]
    >
  const warm = source.take('short', 20)
  return {
    preload: take(plan.preload),
    stores: take(plan.requests),
    queries: take(plan.requests),
    backToBack: Object.fromEntries(
      connectionCounts.map((connections) => [
        connections,
        { stores: source.take('medium', plan.backToBack), queries: source.take('medium', plan.backToBack) },
      ]),
    ) as RoundTexts['backToBack'],
    // Few texts, many times: compiling the service's code is what this is for, not filling its caches.
    warmUp: Array.from({ length: plan.warmUp / 20 }, () => warm).flat(),
  }
}
