import { type Length, lengths, TextSource } from '../support/texts.ts'

/** How much a round does. */
export interface Plan {
  rounds: number
  /** Texts stored by batch-store before anything else: the small space. */
  preload: Record<Length, number>
  /** Single requests of each kind. */
  requests: Record<Length, number>
  /** Requests of each kind over four connections, with medium texts. */
  concurrent: number
}

export const fullPlan: Plan = {
  rounds: 3,
  preload: { short: 400, medium: 500, long: 100 },
  requests: { short: 100, medium: 100, long: 30 },
  concurrent: 200,
}

export const quickPlan: Plan = {
  rounds: 1,
  preload: { short: 100, medium: 100, long: 50 },
  requests: { short: 20, medium: 20, long: 10 },
  concurrent: 40,
}

/** The texts of one round, the same for the service and its peers; none occurs twice. */
export interface RoundTexts {
  preload: Record<Length, string[]>
  stores: Record<Length, string[]>
  queries: Record<Length, string[]>
  concurrent: { stores: string[]; queries: string[] }
}

export function roundTexts(plan: Plan, seed: number): RoundTexts {
  const source = new TextSource(seed)
  const take = (counts: Record<Length, number>) =>
    Object.fromEntries(lengths.map((length) => [length, source.take(length, counts[length])])) as Record<
      Length,
      string[]
    >
  return {
    preload: take(plan.preload),
    stores: take(plan.requests),
    queries: take(plan.requests),
    concurrent: {
      stores: source.take('medium', plan.concurrent),
      queries: source.take('medium', plan.concurrent),
    },
  }
}
