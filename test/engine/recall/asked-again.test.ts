import { askedAgain } from '@memory/engine/recall/asked-again'
import { describe, expect, it } from 'vitest'

const asked = (query: string, text: string, cosine = 0.8): boolean =>
  askedAgain(query)({ text, cosine }) !== undefined

describe('askedAgain', () => {
  it.each([
    ['What is the wifi password?', 'What is the wifi password?'],
    ['what is the wifi password', "What's the wifi password?"],
    ['What is the wifi password?', 'Do you know the wifi password?'],
    ['Tell me the wifi password', 'Julia: What is the wifi password?'],
    ['Quel est le mot de passe du wifi ?', 'C’est quoi le mot de passe du wifi ?'],
    ['Was ist das WLAN-Passwort?', 'Wie lautet das WLAN-Passwort?'],
    ['私の犬の名前は何ですか', '私の犬の名前は何ですか？'],
    ['wifi password', 'What is the wifi password?'],
  ])('of %j: %j answers nothing', (query, text) => {
    expect(asked(query, text)).toBe(true)
  })

  it.each([
    ['What is the wifi password?', 'The wifi password is hunter2-Blue!'],
    ['What is the wifi password?', 'What is the wifi password? It is hunter2.'],
    ['What is the wifi password?', 'Did you know that the wifi password is hunter2?'],
    ['When did Ada move to Lisbon?', 'Did Ada move to Lisbon in 2019?'],
    ['Where did Ada move?', 'Did Ada move to Lisbon?'],
    ['What is the code?', 'Is the code a1?'],
    // Statements that begin as questions of some language do.
    ['Kommt Paul am Samstag?', 'Am Samstag kommt Paul.'],
    ['Gehe ich am Montag schwimmen?', 'Am Montag gehe ich schwimmen.'],
    ['Can I call you on Sundays?', 'Do not call me on Sundays.'],
    ['Is Will my brother?', 'Will is my brother.'],
    ['Are the can openers in the drawer?', 'Can openers are in the drawer'],
    ['Czy jadę jutro do Warszawy?', 'Do Warszawy jadę jutro.'],
    ['When I was young we lived in Rome.', 'When I was young we lived in Rome.'],
  ])('of %j: %j may answer it', (query, text) => {
    expect(asked(query, text, 0.95)).toBe(false)
  })

  it('takes what means the same in other words or another language for the same question, where it names nothing', () => {
    const query = 'When does the pharmacy open?'
    expect(asked(query, 'À quelle heure ouvre la pharmacie ?', 0.8)).toBe(true)
    expect(asked(query, 'À quelle heure ouvre la pharmacie ?', 0.5)).toBe(false)
    expect(asked(query, 'Est-ce que la pharmacie ouvre à 9 h ?', 0.8)).toBe(false)
  })
})
