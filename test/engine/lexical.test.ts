import { readFileSync } from 'node:fs'
import { accel } from '@memory/accel'
import { saturation, termWeight } from '@memory/engine/lexical/bm25'
import { countQueryTerms, countTerms, fold, tokenise } from '@memory/engine/lexical/tokenise'
import { parameters } from '@memory/engine/parameters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

interface Table {
  cases: { name: string; text: string; terms: string[] }[]
}

const table: Table = JSON.parse(readFileSync(new URL('../vectors/terms.json', import.meta.url), 'utf8'))

const implementations: [string, (text: string) => string[]][] = [['javascript', tokenise]]
if (accel !== null) implementations.push(['native', accel.terms])

describe('folding', () => {
  it('of Latin letters is the same among others', () => {
    const letter = fc.integer({ min: 0, max: 0x24f }).map((code) => String.fromCharCode(code))
    // The first letter of another script has the whole text folded at once.
    fc.assert(
      fc.property(fc.string({ unit: letter }), (text) => {
        expect(fold(`ж${text}`)).toBe(`ж${fold(text)}`)
      }),
    )
    for (let code = 0; code < 0x250; code++) {
      const text = `a${String.fromCharCode(code)}b`
      expect(fold(`ж${text}`)).toBe(`ж${fold(text)}`)
    }
  })
})

describe.each(implementations)('%s terms', (_, terms) => {
  it.each(table.cases)('$name', ({ text, terms: expected }) => {
    expect(terms(text)).toEqual(expected)
  })

  it('no term has more than four characters, and a text is read like its folded form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const found = terms(text)
        for (const term of found) expect([...term].length).toBeLessThanOrEqual(4)
        expect(terms(fold(text))).toEqual(found)
      }),
    )
  })
})

describe.skipIf(accel === null)('both implementations', () => {
  const native = accel as NonNullable<typeof accel>

  it('agree on every character that is assigned', () => {
    const differing: string[] = []
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code)
      // The two have their characters from editions of Unicode of their own: the newest may be unknown to one.
      if (/[\p{Cn}\p{Cs}]/u.test(character)) continue
      const text = `a${character}b 1${character}2`
      if (tokenise(text).join('|') !== native.terms(text).join('|')) differing.push(code.toString(16))
    }
    expect(differing).toEqual([])
  })

  it('agree on any text', () => {
    const scripts = fc.constantFrom(
      ..."aZ9ßéÉİıσΣςйЁبًـकि्ไทย水東がｶﾞーか゛한각👍🏽🇩🇪\u0301\u200d\u00ad.,'_ -٫٣ﬁ½",
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(scripts, { maxLength: 30 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(text, (some) => {
        // Characters that are unknown to one of them are left out.
        const known = some.replace(/\p{Cn}/gu, '')
        expect(native.terms(known)).toEqual(tokenise(known))
      }),
      { numRuns: 2_000 },
    )
  })

  it('agree on lone surrogates', () => {
    expect(native.terms('a\ud800b \udc00')).toEqual(tokenise('a\ud800b \udc00'))
  })
})

describe('BM25', () => {
  it('counts terms', () => {
    expect(countTerms('to be or not to be')).toEqual(
      new Map([
        [' to ', 2],
        [' be ', 2],
        [' or ', 1],
        [' not', 1],
        ['not ', 1],
      ]),
    )
    expect(countTerms('')).toEqual(new Map())
  })

  it('counts each gram of a long word of a query less, and each time that it is there', () => {
    const counts = countQueryTerms('tea to the tea favourite 東京都')
    const of = (grams: number) => (parameters.lexical.usualGrams / grams) ** parameters.lexical.gramsPower
    expect(counts.get(' tea')).toBeCloseTo(2 * of(2), 12)
    expect(counts.get(' to ')).toBeCloseTo(of(1), 12)
    expect(counts.get('avou')).toBeCloseTo(of(8), 12)
    expect(counts.get('東京')).toBe(1)
    expect([...counts.keys()].sort()).toEqual(
      [...countTerms('tea to the tea favourite 東京都').keys()].sort(),
    )
  })

  it('weighs a rare term more than a common one, and every term above 0', () => {
    const counts = fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }))
    fc.assert(
      fc.property(counts, ([a, b]) => {
        const [withTerm, documents] = [Math.min(a, b), Math.max(a, b) + 1]
        expect(termWeight(1, documents, withTerm)).toBeGreaterThan(0)
        expect(termWeight(1, documents, withTerm)).toBeGreaterThan(termWeight(1, documents, withTerm + 1))
      }),
    )
    expect(termWeight(1, 9, 0)).toBeCloseTo(1.9 * Math.log(1 + 9.5 / 0.5) ** 1.5, 12)
  })

  it('counts a term of the query up to three times', () => {
    expect(termWeight(3, 100, 5)).toBeCloseTo(3 * termWeight(1, 100, 5), 12)
    expect(termWeight(4, 100, 5)).toBe(termWeight(3, 100, 5))
  })

  it('grows with occurrences and falls with length, between 0 and 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 255 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 1e5 }),
        (frequency, length, meanLength) => {
          const part = saturation(frequency, length, meanLength)
          expect(part).toBeGreaterThan(0)
          expect(part).toBeLessThan(1)
          expect(saturation(frequency + 1, length, meanLength)).toBeGreaterThan(part)
          expect(saturation(frequency, length + 1, meanLength)).toBeLessThan(part)
        },
      ),
    )
    expect(saturation(1, 10, 10)).toBeCloseTo(1 / 1.9, 12)
    expect(saturation(1, 0, 0)).toBeCloseTo(1 / 1.54, 12)
  })
})
