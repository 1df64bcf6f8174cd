import { saidWithin } from '@memory/engine/belief/said-within'
import { describe, expect, it } from 'vitest'

describe('saidWithin', () => {
  it.each([
    ['Ada lives in Lisbon.', 'Ada lives in Lisbon. She works as a nurse.', 'Ada lives in Lisbon.'],
    [
      'la garantie expire en 2031',
      'Il pleut. La  Garantie expire en 2031 ! Et puis ?',
      'La  Garantie expire en 2031 !',
    ],
    ['Ada left. Ben stayed.', 'It rained. Ada left. Ben stayed. All slept.', 'Ada left. Ben stayed.'],
    ['猫が屋根で寝ている。', '今日は晴れ。猫が屋根で寝ている。明日は雨。', '猫が屋根で寝ている。'],
  ])('finds %j among other sentences', (statement, text, said) => {
    expect(saidWithin(statement)(text)).toEqual({ text: said, isSame: true, shared: 1 })
  })

  it('finds the sentence that is most like a statement', () => {
    const text = 'The gate is old. The code of the gate is 4513. The code changes.'
    expect(saidWithin('The code of the gate is 4512.')(text)).toMatchObject({
      text: 'The code of the gate is 4513.',
      isSame: false,
    })
  })

  it.each([
    ['Ada lives in Lisbon.', 'Ada lives in Lisbon.'],
    ['Ada lives in Lisbon.', 'Does it rain? Ada lives in Lisbon? Who knows.'],
    ['Ada lives in Lisbon.', 'Bananas are yellow. The train leaves at nine.'],
    ['What is the code?', 'What is the code? It is 4512.'],
    ['I like 🍎', 'It rains. I like 🍊'],
    ['🍎', 'It rains. I like 🍎'],
    ['', 'It rains. It snows.'],
  ])('finds none that says %j in %j', (statement, text) => {
    expect(saidWithin(statement)(text)?.isSame ?? false).toBe(false)
  })
})
