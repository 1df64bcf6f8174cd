import { asksQuestion } from '@memory/engine/recall/question'
import { describe, expect, it } from 'vitest'

describe('asksQuestion', () => {
  it.each([
    'What is it called?',
    'Really?! [shares a photo]',
    'Ann: "Where are you?" she said',
    '你好吗？我很好。',
    'どこですか？',
    'كيف حالك؟',
    'Ինչպե՞ս ես',
    'Τι κάνεις\u037e',
    'Τι κάνεις;',
    '¿Dónde está?',
  ])('tells that %s asks', (text) => {
    expect(asksQuestion(text)).toBe(true)
  })

  it.each(['', 'It is called Rex.', 'See https://example.com/search?q=dogs&page=2', 'We came; we saw'])(
    'tells that %s does not',
    (text) => {
      expect(asksQuestion(text)).toBe(false)
    },
  )
})
