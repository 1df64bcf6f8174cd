import { saysAnother } from '@memory/engine/belief/says-another'
import { expect, it } from 'vitest'

const between = (statement: string, text: string) => saysAnother(statement, text, () => true)

it.each([
  ['Chen is not allergic to cats.', 'Chen is allergic to cats.'],
  ['Ada does not live in Lisbon.', 'Ada lives in Lisbon.'],
  ['The train leaves at ten.', 'The train leaves at nine.'],
  ['Maria isst Fleisch', 'Maria isst Fleisch nicht'],
  ['Tôi rất thích má của tôi', 'Tôi rất thích mà của tôi'],
])('a statement is denied: %s %s', (statement, text) => {
  expect(between(statement, text)).toBe(true)
})

it.each([
  ['Ada likes tea.', 'Ada likes tea, not coffee.'],
  ['Ada likes tea.', 'Ada likes tea and does not like coffee.'],
  ['Ada cannot eat peanuts because she is allergic.', 'Ada is allergic to peanuts.'],
  ['In May, Ada moved to Lisbon.', 'Ada moved to Lisbon in May.'],
  ['Toi rat thich ma cua toi', 'Tôi rất thích má của tôi'],
  ['la garantie de la chaudiere expire', 'La garantie de la chaudière expire.'],
  ['Tengo quince anos', 'Tengo quince años'],
  ['Perché no', 'Perchè no'],
])('a statement is not denied: %s %s', (statement, text) => {
  expect(between(statement, text)).toBe(false)
})
