import { expect, it } from 'vitest'
import { matching } from '../../apps/console/src/frame/matching.ts'

const choices = [
  { group: 'Memory', name: 'Overview' },
  { group: 'Memory', name: 'Memories' },
  { group: 'Memory', name: 'Forget' },
  { group: 'Organization', name: 'Members' },
  { group: 'Organization', name: 'Organization settings' },
  { group: 'Operators', name: 'Operators: organizations' },
  { group: 'Organization', name: 'Université' },
]
const found = (typed: string) => matching(choices, typed).map(({ name }) => name)

it('has what begins with what was typed before what holds it, and that before what is one of such', () => {
  expect(found('mem')).toEqual(['Memories', 'Members', 'Overview', 'Forget'])
  expect(found('org')).toEqual([
    ...['Organization settings', 'Operators: organizations', 'Forget'],
    ...['Members', 'Université'],
  ])
})

it('takes words in any order, without case and accents, and whole groups', () => {
  expect(found('sett ORGAN')).toEqual(['Organization settings'])
  expect(found('universite')).toEqual(['Université'])
  expect(found('memory over')).toEqual(['Overview'])
  expect(found('')).toEqual(choices.map(({ name }) => name))
})
