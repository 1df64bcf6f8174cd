/** What a plan allows. -1 stands for unlimited. */
interface PlanLimits {
  /** Patterns stored in one space. */
  patterns: number
  /** Queries in one space and UTC day. */
  queriesPerDay: number
  /** API keys of the organization that are neither revoked nor expired. */
  apiKeys: number
  /** Members and pending invitations of the organization. */
  members: number
}

export const unlimited = -1

/** The plans, cheapest first. */
export const plans = {
  free: { patterns: 5_000, queriesPerDay: 1_000, apiKeys: 2, members: 1 },
  starter: { patterns: 10_000, queriesPerDay: 10_000, apiKeys: 5, members: 3 },
  pro: { patterns: 100_000, queriesPerDay: unlimited, apiKeys: 20, members: 10 },
  scale: { patterns: 1_000_000, queriesPerDay: unlimited, apiKeys: 100, members: 50 },
  enterprise: { patterns: unlimited, queriesPerDay: unlimited, apiKeys: unlimited, members: unlimited },
} as const satisfies Record<string, PlanLimits>

export type PlanName = keyof typeof plans

export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]]
