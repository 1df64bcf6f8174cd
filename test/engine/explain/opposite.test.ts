import { asksOpposite } from '@memory/engine/explain/opposite'
import { describe, expect, it } from 'vitest'

describe('asksOpposite', () => {
  it.each([
    ['when does the gym open?', 'The gym closes at 22:00.'],
    ['Wann öffnet das Studio?', 'Das Studio schließt um 22 Uhr.'],
    ['à quelle heure ouvre la salle ?', 'La salle ferme à 22h.'],
    ['what do I owe Paul?', 'Paul owes me 50 euros.'],
    ['how much does Paul owe me', 'I owe Paul 50 euros.'],
    ['when does the gym open?', 'I like it. The gym closes at 22:00. The shop opens at 9.'],
  ])('is true of %j and %j', (question, text) => {
    expect(asksOpposite(question, text)).toBe(true)
  })

  it.each([
    ['when does the gym close?', 'The gym closes at 22:00.'],
    ['When does the shop open?', 'The shop opens at 9 and closes at 18.'],
    ['Is the gym open?', 'The gym is closed.'],
    ['what does Paul owe me?', 'Paul owes me 50 euros.'],
    ['Who owes me money?', 'Paul owes me 50 euros.'],
    ['Which book did Ada lend Bob?', 'Ada lent Bob the red book.'],
    ['What does Ada not eat?', 'Ada never eats peanuts.'],
    ['Where is Ada?', 'Ada is in Rome. The door is closed, and Bob left.'],
    ['Where?', ''],
  ])('is false of %j and %j', (question, text) => {
    expect(asksOpposite(question, text)).toBe(false)
  })
})
