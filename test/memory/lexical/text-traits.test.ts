import { TextTraits } from '@memory/memory/lexical/text-traits'
import { describe, expect, it } from 'vitest'

const text = { length: 10, asks: false }

/** Everything that is known of a text. */
const of = (traits: TextTraits, idx: number) => ({
  has: traits.has(idx),
  length: traits.lengthOf(idx),
  asks: traits.asks(idx),
  language: traits.languagesOf(idx),
})
const unknown = { has: false, length: 0, asks: false, language: undefined }

describe('TextTraits', () => {
  it('knows nothing of what it does not have', () => {
    const traits = new TextTraits()
    expect(traits.bytes).toBe(0)
    traits.setLanguages(3, 'en')
    traits.delete(3)
    for (const idx of [0, 3, -1, 2 ** 30]) expect(of(traits, idx)).toEqual(unknown)
    traits.put(3, text)
    for (const idx of [0, 2, 4, -1, 2 ** 30]) expect(of(traits, idx)).toEqual(unknown)
    expect(of(traits, 3)).toEqual({ has: true, length: 10, asks: false, language: undefined })
  })

  it('keeps what it has as it grows, in four bytes a text', () => {
    const traits = new TextTraits()
    const count = 10_000
    for (let idx = 0; idx < count; idx++) {
      traits.put(idx, { length: idx + 1, asks: idx % 3 === 0 })
      if (idx % 2 === 0) traits.setLanguages(idx, idx % 4 === 0 ? 'en' : 'de')
    }
    for (let idx = 0; idx < count; idx++) {
      const language = idx % 2 === 1 ? undefined : idx % 4 === 0 ? 'en' : 'de'
      expect(of(traits, idx)).toEqual({ has: true, length: idx + 1, asks: idx % 3 === 0, language })
    }
    expect(traits.bytes).toBeGreaterThanOrEqual(4 * count)
    expect(traits.bytes).toBeLessThanOrEqual(2 * 4 * count)
  })

  it('grows at once for an idx that is far away', () => {
    const traits = new TextTraits()
    traits.put(0, text)
    traits.put(1_000_000, { length: 7, asks: true })
    expect(traits.has(0)).toBe(true)
    expect(of(traits, 1_000_000)).toEqual({ has: true, length: 7, asks: true, language: undefined })
    expect(traits.has(999_999)).toBe(false)
  })

  it('forgets the language of a text that is replaced', () => {
    const traits = new TextTraits()
    traits.put(1, { length: 5, asks: true })
    traits.setLanguages(1, 'fr')
    expect(of(traits, 1)).toEqual({ has: true, length: 5, asks: true, language: 'fr' })
    traits.put(1, { length: 6, asks: false })
    expect(of(traits, 1)).toEqual({ has: true, length: 6, asks: false, language: undefined })
  })

  it('forgets everything of a text that is deleted', () => {
    const traits = new TextTraits()
    traits.put(1, { length: 5, asks: true })
    traits.setLanguages(1, 'fr')
    traits.delete(1)
    expect(of(traits, 1)).toEqual(unknown)
    traits.setLanguages(1, 'fr')
    expect(of(traits, 1)).toEqual(unknown)
    traits.put(1, text)
    expect(of(traits, 1)).toEqual({ has: true, length: 10, asks: false, language: undefined })
  })

  it.each([
    [0, 1],
    [1, 1],
    [65_535, 65_535],
    [65_536, 65_535],
    [10_000_000, 65_535],
  ])('takes a length of %i for %i, so that each text has one', (length, kept) => {
    const traits = new TextTraits()
    traits.put(0, { length, asks: false })
    expect(of(traits, 0)).toEqual({ has: true, length: kept, asks: false, language: undefined })
  })

  it('tells 32,767 of them apart, and leaves more unknown', () => {
    const traits = new TextTraits()
    const count = 33_000
    for (let round = 0; round < 2; round++) {
      for (let idx = 0; idx < count; idx++) {
        traits.put(idx, { length: 10, asks: idx % 2 === 0 })
        traits.setLanguages(idx, `language ${idx}`)
      }
    }
    for (let idx = 0; idx < count; idx++) {
      const language = idx < 32_767 ? `language ${idx}` : undefined
      if (traits.languagesOf(idx) !== language || traits.asks(idx) !== (idx % 2 === 0))
        throw new Error(`${idx}`)
    }
    traits.setLanguages(0, 'language 32999')
    expect(traits.asks(0)).toBe(true)
  })
})
