import { parameters } from '@memory/engine/parameters'
import { PathwayCosts } from '@memory/memory/routing/pathway-costs'
import { expect, it } from 'vitest'

it('what a pathway costs follows what it takes, from what is typical on', () => {
  const costs = new PathwayCosts()
  expect(costs.all).toEqual(parameters.routing.typicalMs)
  for (let i = 0; i < 200; i++) costs.record('energy', 4)
  expect(costs.of('energy')).toBeCloseTo(4, 3)
  expect(costs.of('exact')).toBe(parameters.routing.typicalMs.exact)
})

it('one slow answer, or what is no time, hardly counts', () => {
  const costs = new PathwayCosts()
  const before = costs.of('exact')
  costs.record('exact', 60_000)
  expect(costs.of('exact')).toBeLessThan(1.5 * before)
  const after = costs.of('exact')
  for (const ms of [Number.NaN, -1, Number.POSITIVE_INFINITY]) costs.record('exact', ms)
  expect(costs.of('exact')).toBe(after)
})
