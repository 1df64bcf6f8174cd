import { saysAnother } from '@memory/engine/belief/says-another'
import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))
const denies = (one: string, other: string) => saysAnother(one, other, () => true)

describe('numbers that have changed places', () => {
  it.each([
    ['Adults pay 12 €, children 5 €.', 'Adults pay 5 €, children 12 €.'],
    ['Adults pay 12 €, children 5 €.', 'Children pay 12 €, adults 5 €.'],
    ['Max is 5 and Mia is 7.', 'Max is 7 and Mia is 5.'],
    ['Max is 5 and Mia is 7.', 'Mia is 5 and Max is 7.'],
    ['Max is five and Mia is seven.', 'Max is seven and Mia is five.'],
    ['Max and Mia are 5 and 7.', 'Max and Mia are 7 and 5.'],
    ['He is 5 and she is 7.', 'He is 7 and she is 5.'],
    ['Room 12, seat 3', 'Room 3, seat 12'],
    ['Room 12, seat 3', 'Seat 12, room 3'],
    ['Call 112 for police and 110 for fire.', 'Call 110 for police and 112 for fire.'],
    ['Call 112 for police and 110 for fire.', 'For police call 110, for fire 112.'],
    [
      'Der Code der Haustür ist 4711, der der Garage 0815.',
      'Der Code der Haustür ist 0815, der der Garage 4711.',
    ],
    ['Die Haustür hat 4711 und die Garage 2580.', 'Die Haustür hat 2580 und die Garage 4711.'],
    ['Les adultes paient 12 €, les enfants 5 €.', 'Les adultes paient 5 €, les enfants 12 €.'],
    ['Léa a 5 ans et Hugo a 7 ans.', 'Hugo a 5 ans et Léa a 7 ans.'],
    ['Los adultos pagan 12 € y los niños 5 €.', 'Los adultos pagan 5 € y los niños 12 €.'],
    ['Gli adulti pagano 12 €, i bambini 5 €.', 'Gli adulti pagano 5 €, i bambini 12 €.'],
    ['大人12元，儿童5元', '大人5元，儿童12元'],
    ['Максу 5 лет, а Маше 7.', 'Максу 7 лет, а Маше 5.'],
    ['The score was 3:1.', 'The score was 1:3.'],
    ['We won 3-1.', 'We won 1-3.'],
    ['It is open from 9 to 5', 'It is open from 5 to 9'],
    ['The meeting is on 3 May at 6.', 'The meeting is on 6 May at 3.'],
    ['Room 5 has 2 beds and room 7 has 3 beds', 'Room 5 has 3 beds and room 7 has 2 beds'],
    ['Take 2 pills at 8 and 3 pills at 20', 'Take 3 pills at 8 and 2 pills at 20'],
    ['He was born on 3 May', 'He was born on 5 March'],
    ['The first key is red, the second one blue.', 'The second key is red, the first one blue.'],
    ['Adults pay 12, children 5, seniors 8.', 'Adults pay 8, children 5, seniors 12.'],
    ['Adults pay 12, but children 5.', 'Children pay 12, but adults 5.'],
  ])('%j is not %j', (one, other) => {
    expect(reasonOf(one, other)).toBe('number')
    expect(reasonOf(other, one)).toBe('number')
    expect(denies(one, other) && denies(other, one)).toBe(true)
  })

  it.each([
    ['Max is 5 and Mia is 7.', 'Mia is 7 and Max is 5.'],
    ['Adults pay 12 €, children 5 €.', 'Children pay 5 €, adults 12 €.'],
    ['Adults pay 12 €, children 5 €.', 'Adults: 12 euros, children: 5 euros.'],
    ['Room 12, seat 3', 'Seat 3, room 12'],
    ['Call 112 for police and 110 for fire.', 'For fire call 110, for police 112.'],
    [
      'Der Code der Haustür ist 4711, der der Garage 0815.',
      'Der Code der Garage ist 0815, der der Haustür 4711.',
    ],
    ['Léa a 5 ans et Hugo a 7 ans.', 'Hugo a 7 ans et Léa a 5 ans.'],
    ['Los adultos pagan 12 € y los niños 5 €.', 'Los niños pagan 5 € y los adultos 12 €.'],
    ['My children are 5 and 7.', 'My children are 7 and 5.'],
    ['My children are 5, 7 and 9 years old.', 'My children are 9, 5 and 7 years old.'],
    ['Wake me at 5 and at 7.', 'Wake me at 7 and at 5.'],
    ['The room has between 5 and 10 seats.', 'The room has between 10 and 5 seats.'],
    ['I pay 5 € and 12 € a month.', 'I pay 12 € and 5 € a month.'],
    ['Max is five and Mia is seven.', 'Max is 5 and Mia is 7.'],
    ['Three cats and two dogs live here', 'Two dogs and three cats live here'],
    ['The meeting is on 03.05.2024 at 5 pm', 'The meeting is on 2024-05-03 at 17:00'],
    ['It is open from 9 to 17:00', 'It is open from 9 to 5 pm'],
    ['It weighs 1 kg and is 2 m long', 'It weighs 1000 g and is 200 cm long'],
    ['Tom has a cat and one dog', 'Tom has one cat and a dog'],
    ['Room 5 has 2 beds and room 7 has 3 beds', 'Room 7 has 3 beds and room 5 has 2 beds'],
    ['Take 2 pills at 8 and 3 pills at 20', 'Take 3 pills at 20 and 2 pills at 8'],
    ['He was born on 3 May 1980', 'He was born on May 3, 1980'],
    ['It is 2 + 3 km', 'It is 3 + 2 km'],
    ['At 5 Max comes, at 7 Mia.', 'Mia comes at 7, Max at 5.'],
  ])('%j is %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })
})

describe('numbers with a letter that makes them larger', () => {
  it.each([
    ['It costs 20k euros', 'It costs 20000 euros'],
    ['It costs 20K euros', 'It costs 20.000 Euro'],
    ['I earn 65k', 'I earn 65,000'],
    ['It has 3M users', 'It has 3000000 users'],
    ['It has 1.5M users', 'It has 1.5 million users'],
    ['It costs $20k', 'It costs $20,000'],
    ['Das kostet 3 Mio. Euro', 'Das kostet 3.000.000 Euro'],
    ['Das kostet 20 Tsd. Euro', 'Das kostet 20.000 Euro'],
    ['To kosztuje 3 mln', 'To kosztuje 3000000'],
    ['Ça coûte 20 k€', 'Ça coûte 20 000 €'],
    ['Le budget est de 3 M€', 'Le budget est de 3 millions d’euros'],
    ['Cuesta 20k euros', 'Cuesta 20 mil euros'],
    ['It costs 3m dollars', 'It costs 3 million dollars'],
    ['It is worth 2bn euros', 'It is worth 2,000,000,000 euros'],
  ])('%j is %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })

  it.each([
    ['It costs 20k euros', 'It costs 30000 euros'],
    ['It costs 20k euros', 'It costs 200000 euros'],
    ['It has 3M users', 'It has 3000 users'],
    ['It has 3M users', 'It has 4M users'],
    ['It is 20 km long', 'It is 20000 km long'],
    ['It is 5 m long', 'It is 5000000 m long'],
    ['It is 5m long', 'It is 6m long'],
    ['It weighs 3 kg', 'It weighs 3000 kg'],
    ['It costs 20k euros', 'It costs 20k dollars'],
  ])('%j is not %j', (one, other) => {
    expect(reasonOf(one, other)).toBeDefined()
    expect(reasonOf(other, one)).toBeDefined()
  })
})
