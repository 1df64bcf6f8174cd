import { everyWordOf } from '@memory/engine/explain/every-word'
import { describe, expect, it, vi } from 'vitest'

const text = "Ada's sister Mona moved to Lisbon on 12 March, port 8080; le rendez-vous à l’hôpital."

describe('everyWordOf', () => {
  it.each(['Who is Mona?', 'mona', 'Wer ist Mona?', 'Qui est Mona ?', 'rendez vous', 'HOPITAL', '8080'])(
    'finds what %j is about',
    (query) => {
      expect(everyWordOf(query)(text)).toBe(true)
    },
  )

  it.each(['Who is Monique?', 'Who is Mon?', 'Lisbon Marc', 'Mona Viktor', 'What is it?', 'où', '?', ''])(
    'does not find what %j is about',
    (query) => {
      expect(everyWordOf(query)(text)).toBe(false)
    },
  )

  it('finds words that are not set apart', () => {
    expect(everyWordOf('東京')('私は東京に住んでいます。')).toBe(true)
    expect(everyWordOf('大阪')('私は東京に住んでいます。')).toBe(false)
  })

  it('makes nothing of its words anew for each text', () => {
    const hasWords = everyWordOf('Mona Lisbon rendez-vous')
    const made = vi.fn()
    vi.stubGlobal('RegExp', new Proxy(globalThis.RegExp, { construct: made }))
    expect([text, `${text} Ada`].map(hasWords)).toEqual([true, true])
    vi.unstubAllGlobals()
    expect(made).not.toHaveBeenCalled()
  })
})
