import { ApiError } from '@memory/shared/catalogue/errors'
import { type PlanName, plans, unlimited } from '@memory/shared/catalogue/plans'

const nouns = { apiKeys: 'API key', members: 'member' } as const

/**
 * Checks that the plan allows one more. The organization's plan must have been locked before `used` was counted.
 * @throws ApiError plan_exceeded, whose message names the plan and its limit
 */
export function requireRoom(plan: PlanName, what: keyof typeof nouns, used: number): void {
  const allowed = plans[plan][what]
  if (allowed === unlimited || used < allowed) return
  const noun = allowed === 1 ? nouns[what] : `${nouns[what]}s`
  throw new ApiError('plan_exceeded', { detail: `The ${plan} plan allows ${allowed} ${noun}` })
}
