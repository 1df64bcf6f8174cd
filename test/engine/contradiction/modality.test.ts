import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

describe('what must be done, may be done and may not', () => {
  it.each([
    ['यहाँ गाड़ी खड़ी करना मना है', 'यहाँ गाड़ी खड़ी कर सकते हैं'],
    ['You must pay in advance', 'You may pay in advance'],
    ['Employees have to wear a uniform', 'Employees can wear a uniform'],
    ['Die Mitglieder müssen im Voraus bezahlen', 'Die Mitglieder können im Voraus bezahlen'],
    ['Besucher müssen einen Ausweis tragen', 'Besucher dürfen einen Ausweis tragen'],
    ['I soci devono pagare in anticipo', 'I soci possono pagare in anticipo'],
    ['Os sócios devem pagar adiantado', 'Os sócios podem pagar adiantado'],
    ['De leden moeten vooraf betalen', 'De leden mogen vooraf betalen'],
    ['Medlemmarna måste betala i förskott', 'Medlemmarna får betala i förskott'],
    ['On doit réserver', 'On peut réserver'],
    ['Hay que reservar', 'Se puede reservar'],
    ['Man darf hier parken', 'Hier ist Parken verboten'],
    ['You can park here', 'Parking is forbidden here'],
    ['Visitors must wear a badge', 'Visitors may wear a badge'],
    ['Members must pay in advance', 'Members can pay in advance'],
    ["Les membres doivent payer d'avance", "Les membres peuvent payer d'avance"],
    ['Los socios deben pagar por adelantado', 'Los socios pueden pagar por adelantado'],
    ['On peut se garer ici', 'Il est interdit de se garer ici'],
  ])('tells %j from %j', (one, other) => {
    expect(reasonOf(one, other)).toBeDefined()
    expect(reasonOf(other, one)).toBeDefined()
  })

  it.each([
    ['You must not park here', 'You may not park here'],
    ["You can't park here", 'Parking is forbidden here'],
    ['Man muss hier nicht zahlen', 'Man kann hier zahlen oder nicht'],
    ['I have to leave', 'I must leave'],
    ['You can only pay in cash', 'You must pay in cash'],
    ['I can come on Monday', 'I could come on Monday'],
    ['Ich kann kommen', 'Ich darf kommen'],
    ['I have to go in May', 'I must go in May'],
    ['He has to be careful', 'He must be careful'],
    ['Ich muss um acht da sein', 'Um acht muss ich da sein'],
    ['Das kann ich nicht machen', 'Das darf ich nicht machen'],
  ])('finds none in %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })
})

describe('what may come to be, and what will', () => {
  it.each([
    ['I might move to Berlin', 'I will move to Berlin.'],
    ['Maybe I will move to Berlin', 'I will move to Berlin.'],
    ['Je vais déménager à Lyon', 'Je vais peut-être déménager à Lyon'],
    ['Ich ziehe nach Berlin', 'Ich ziehe vielleicht nach Berlin'],
    ['Voy a mudarme a Lima', 'Tal vez voy a mudarme a Lima'],
    ['Я перееду в Казань', 'Возможно, я перееду в Казань'],
    ['I plan to move to Berlin', 'I moved to Berlin.'],
    ['I want to buy a car', 'I bought a car'],
    ["I'm going to buy a car", 'I bought a car'],
    ['I hope to visit Japan', 'I visited Japan'],
  ])('are told apart in %j and %j', (one, other) => {
    expect([reasonOf(one, other), reasonOf(other, one)]).not.toContain(undefined)
  })

  it.each([
    ['I might move to Berlin', 'I may move to Berlin.'],
    ['Maybe I will move to Berlin', 'Perhaps I will move to Berlin.'],
    ['I plan to move to Berlin', 'I want to move to Berlin.'],
    ['I will buy a car', "I'm going to buy a car"],
  ])('are not in %j and %j', (one, other) => {
    expect([reasonOf(one, other), reasonOf(other, one)]).toEqual([undefined, undefined])
  })
})
