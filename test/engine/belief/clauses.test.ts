import { clausesOf, exchangesIn, isPartDenied } from '@memory/engine/belief/clauses'
import { describe, expect, it } from 'vitest'

const texts = [
  'Ada lives in Lisbon.',
  'Ben has a peanut allergy.',
  'The train to Porto leaves at 17:05.',
  'Deploys happen on Tuesdays.',
  'Le loyer est de 900 euros.',
  'Marie joue du violon.',
  'Bread needs flour, water, salt and yeast.',
  'It rains in Oslo. Bananas are yellow.',
  '猫が屋根で寝ている。',
  '駅は九時に開く。',
]
const isDenied = (statement: string) => isPartDenied(clausesOf(statement, texts), () => true)
const exchanges = (statement: string) => exchangesIn(statement, clausesOf(statement, texts))

describe('isPartDenied', () => {
  it.each([
    'Ada does not live in Lisbon and Ben has a peanut allergy.',
    'Ada lives in Lisbon and Ben has no peanut allergy.',
    'Ben lives in Lisbon and Ada has a peanut allergy.',
    'The train to Porto leaves at 17:50 and deploys happen on Tuesdays.',
    'Le loyer est de 950 euros et Marie joue du violon.',
    'Ada lives in Lisbon. The train to Porto does not leave at 17:05.',
    'Bananas are not yellow, and Ada lives in Lisbon.',
    '猫が屋根で寝ている、駅は十時に開く。',
  ])('is so of %j', (statement) => {
    expect(isDenied(statement)).toBe(true)
  })

  it.each([
    'Ada lives in Lisbon and Ben has a peanut allergy.',
    'Le loyer est de 900 euros et Marie joue du violon.',
    'Ada lives in Lisbon, and bread needs flour, water, salt and yeast.',
    'Bananas are yellow; deploys happen on Tuesdays.',
    '猫が屋根で寝ている、駅は九時に開く。',
    'Ada does not live in Lisbon.',
    'Dolphins are mammals, and volcanoes erupt.',
    '',
  ])('is not so of %j', (statement) => {
    expect(isDenied(statement)).toBe(false)
  })
})

describe('exchangesIn', () => {
  it('finds the texts of which a statement has one word for another', () => {
    expect(exchanges('Ada lives in Porto, and Ben has a peanut allergy.')).toEqual([
      { told: 'Ada lives in Lisbon.', exchanged: 'Ada lives in Porto.' },
    ])
    expect(exchanges('Bananas are green, and Ada lives in Lisbon.')).toEqual([
      { told: 'Bananas are yellow.', exchanged: 'Bananas are green.' },
    ])
  })

  it.each([
    'Ada lives in Lisbon and Ben has a peanut allergy.',
    'Ada lives in Porto.',
    'Dolphins are mammals, and volcanoes erupt.',
    '',
  ])('finds none in %j', (statement) => {
    expect(exchanges(statement)).toEqual([])
  })
})
