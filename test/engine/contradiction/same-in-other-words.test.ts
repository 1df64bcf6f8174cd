import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

describe('what says no in other words', () => {
  it.each([
    ["I can't swim", 'I am unable to swim.'],
    ["She couldn't come", 'She was unable to come.'],
    ["I can't park here", 'It is impossible to park here'],
    ['Je ne peux pas nager', 'Je suis incapable de nager'],
    ['Ich kann nicht schwimmen', 'Ich bin unfähig zu schwimmen'],
    ['No puedo nadar', 'Soy incapaz de nadar'],
    ['Não consigo nadar', 'Sou incapaz de nadar'],
    ['I am childless', 'I have no children'],
    ['Ich bin arbeitslos', 'Ich habe keine Arbeit'],
  ])('is the same in %s and %s', (one, other) => {
    expect([reasonOf(one, other), reasonOf(other, one)]).toEqual([undefined, undefined])
  })

  it.each([
    ['I can swim', 'I am unable to swim.'],
    ['Je peux nager', 'Je suis incapable de nager'],
    ['Puedo nadar', 'Soy incapaz de nadar'],
    ['She is childless', 'She has children'],
    ['Ich bin arbeitslos', 'Ich habe Arbeit'],
    ['Ik ben werkloos', 'Ik heb werk'],
  ])('says no to the other in %s and %s', (one, other) => {
    expect([reasonOf(one, other), reasonOf(other, one)]).not.toContain(undefined)
  })
})

describe('what names of software have behind them', () => {
  it.each([
    ['I use PostgreSQL', 'I use Postgres.'],
    ['I use MongoDB', 'I use Mongo.'],
    ['I use React', 'I use ReactJS'],
  ])('makes no other name in %s and %s', (one, other) => {
    expect([reasonOf(one, other), reasonOf(other, one)]).toEqual([undefined, undefined])
  })

  it.each([
    ['I use MySQL', 'I use PostgreSQL'],
    ['I use Java', 'I use JavaScript'],
    ['I met Martin', 'I met Martina'],
    ['I met Johan', 'I met Johanna'],
    ['I live in Oxford', 'I live in Oxfordshire'],
  ])('is not what %s and %s differ in', (one, other) => {
    expect([reasonOf(one, other), reasonOf(other, one)]).toEqual(['name', 'name'])
  })
})
