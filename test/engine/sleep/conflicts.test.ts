import { readComparable } from '@memory/engine/contradiction/contradiction'
import { parameters } from '@memory/engine/parameters'
import { findConflict } from '@memory/engine/sleep/conflicts'
import { describe, expect, it } from 'vitest'

const { duplicateMin, contradictionMin, laterMs } = parameters.conflicts

const said = (text: string, at = 0) => ({ comparable: readComparable(text), at })
const between = (one: string, other: string, similarity: number, later = 0) =>
  findConflict(said(one), said(other, later), similarity)

describe('a conflict', () => {
  it('is what says the same from a cosine on, in whatever words', () => {
    const texts = ['Bob was hired by Alice', 'Alice hired Bob'] as const
    expect(between(...texts, duplicateMin)).toEqual({ kind: 'near_duplicate', reason: null })
    expect(between(...texts, duplicateMin - 0.01)).toBeUndefined()
  })

  it('is a difference of texts that share most of their words', () => {
    const found = { kind: 'possible_contradiction', reason: 'number' }
    expect(between('The rent is 450 euros', 'The rent is 540 euros', contradictionMin)).toEqual(found)
    expect(between('The rent is 450 euros', 'The rent is 540 euros', contradictionMin - 0.01)).toBeUndefined()
    // No near duplicates either, however near: something is another.
    const others = ['My flat costs 450 euros a month', 'The rent that I pay is 540 euros'] as const
    expect(between(...others, 0.99)).toBeUndefined()
  })

  it.each([
    ['Anna likes coffee.', 'Anna does not like coffee.'],
    ['The pump works.', 'The pump does not work.'],
    ['Carla smokes.', 'Carla does not smoke.'],
    ['Dora wants children.', 'Dora doesn’t want children.'],
    ['Marie travaille ici.', 'Marie ne travaillait pas ici.'],
  ])('is a denial with the verb in another form: %s %s', (one, other) => {
    expect(between(one, other, 0.8)?.reason).toBe('negation')
  })

  it('is none where something else stands in several places, as in records of a form', () => {
    expect(between('Shelf 12 holds box number 7', 'Shelf 13 holds box number 9', 0.95)).toBeUndefined()
    expect(between('Shelf 12 holds box number 7', 'Shelf 12 holds box number 9', 0.95)?.reason).toBe('number')
    // What one says beyond the other stands in no other's place.
    expect(between('Ada has 2 cats', 'Ada has 3 cats by now', 0.95)?.reason).toBe('number')
    expect(between('Tom sold his car to Lisa', 'Lisa sold his car to Tom', 0.95)?.reason).toBe('direction')
  })

  it('may be one that takes the place of the other when a day is between them, either way', () => {
    const texts = ['Ada has 2 cats', 'Ada has 3 cats'] as const
    for (const later of [laterMs, -laterMs]) {
      expect(between(...texts, 0.9, later)?.kind).toBe('superseded_candidate')
    }
    expect(between(...texts, 0.9, laterMs - 1)?.kind).toBe('possible_contradiction')
    expect(between('Ada has two cats', 'Ada has 2 cats', 0.95, laterMs)?.kind).toBe('near_duplicate')
  })
})
