import { saidWithin } from '@memory/engine/belief/said-within'
import { sentenceSegmenter } from '@memory/engine/sentence-segmenter'
import { describe, expect, it, vi } from 'vitest'

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

  it.each([
    ['What is it? Ada left. Ben stayed.', 'It rained. What is it? Ada left! Ben stayed. All slept.'],
    ['Ada left. Ben stayed.', 'Ben stayed. Ada left. Ben stayed.'],
    ['เขาอยู่ที่นี่', 'ฝนตก\nเขาอยู่ที่นี่\nแดดออก'],
    ['ガラスの箱です。', '雨です。ガラスの箱です。'],
  ])('finds %j in %j', (statement, text) => {
    expect(saidWithin(statement)(text)).toMatchObject({ isSame: true, shared: 1 })
  })

  it('tells how much sentences in a row have in common, wherever they stand', () => {
    const statement = 'Ada lives in Lisbon. Ben works in Porto.'
    const alike = 'Ada lives in Lisbon. Ben worked in Porto.'
    const around = Array.from({ length: 20 }, (_, i) => `Ada was in Porto in ${2000 + i}.`).join(' ')
    const expected = saidWithin(statement)(`${alike} It rains.`)
    expect(expected).toMatchObject({ text: alike, isSame: false })
    expect(expected?.shared).toBeLessThan(1)
    expect(saidWithin(statement)(`${around} ${alike} ${around}`)).toEqual(expected)
  })

  it.each([
    ['Chinese', '的一是不了在人有我他这中大来上国个到说们'],
    ['English', 'abcdefghijklmnopqrst'],
  ])('looks at each sentence a few times, however many a statement in %s has', (_language, letters) => {
    const sentence = (i: number) =>
      `${[1, 3, 7, 9, 11].map((by, place) => letters.charAt((i * by + place) % 20)).join('')}${i}。`
    const text = Array.from({ length: 1_000 }, (_, i) => sentence(i)).join('')
    const sayOf = saidWithin(Array.from({ length: 200 }, (_, i) => sentence(2 * i)).join(''))
    const normalize = vi.spyOn(String.prototype, 'normalize')
    sayOf(text)
    const looked = normalize.mock.contexts.reduce<number>((sum, part) => sum + String(part).length, 0)
    normalize.mockRestore()
    expect(looked).toBeGreaterThan(text.length)
    expect(looked).toBeLessThan(20 * text.length)
  })

  it.each([
    ['猫在屋顶上睡觉。', '今天下雨。明天天晴。后天刮风。'],
    ['Ada lives in Lisbon.', 'It rains. It snows. The wind blows.'],
  ])('does not take texts apart that have next to nothing of %j', (statement, text) => {
    const sayOf = saidWithin(statement)
    const segment = vi.spyOn(sentenceSegmenter, 'segment')
    expect(sayOf(text)).toBeUndefined()
    expect(segment).not.toHaveBeenCalled()
    segment.mockRestore()
  })
})
