import { limits } from '@memory/shared/catalogue/limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../apps/api/src/http/parse-json.ts'

const valuesMax = 1e9
const parse = (text: string, pieceBytes?: number) =>
  parseJson(Buffer.from(text), { valuesMax, ...(pieceBytes !== undefined && { pieceBytes }) })

/** What is said of a text: its value, with the order of its fields, or that it has none. */
async function told(read: () => unknown): Promise<unknown> {
  try {
    const value = await read()
    return { value, text: JSON.stringify(value) }
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON'
    throw error
  }
}

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(null, true, false, 0, -0, 1e300, '"', '\\', '],', '{"a":'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('json'), { maxLength: 8 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('1', '0', '__proto__')), tie('json'), { maxKeys: 8 }),
  ),
}))
const pieces = fc.integer({ min: 1, max: 40 })

describe('parsing of long bodies', () => {
  it('is JSON.parse, in whichever pieces', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.constantFrom(undefined, 1, '\t'), pieces, async (value, space, piece) => {
        const text = JSON.stringify(value, null, space)
        expect(await told(() => parse(text, piece))).toEqual(await told(() => JSON.parse(text)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('refuses what JSON.parse refuses, and nothing else', async () => {
    const marks = fc.constantFrom(
      '',
      ',',
      ',,',
      '"',
      '\\',
      '[',
      ']',
      '{',
      '}',
      ':',
      '-',
      '1',
      ' ',
      '\u00a0',
      'null',
      '"a":1,',
    )
    await fc.assert(
      fc.asyncProperty(json, pieces, fc.nat(), fc.nat(2), marks, async (value, piece, at, cut, mark) => {
        const sent = JSON.stringify(value)
        const place = at % (sent.length + 1)
        // Half a character is none in UTF-8.
        const text = (sent.slice(0, place) + mark + sent.slice(place + cut)).toWellFormed()
        expect(await told(() => parse(text, piece))).toEqual(await told(() => JSON.parse(text)))
      }),
      { numRuns: 4_000 },
    )
  })

  it('takes the last of the fields of one name, also from another piece', async () => {
    const text = '{"a":[1,2,3],"b":"long enough for a piece","a":{"c":[4,5,6],"c":7},"__proto__":[8,9,10]}'
    for (let piece = 1; piece < text.length; piece++) {
      const value = (await parse(text, piece)) as object
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
  })

  it('refuses what is nested too deeply, long or short', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}1,2,3${']'.repeat(depth)}`
    for (const piece of [1, 1_000]) {
      expect(await told(() => parse(nested(limits.jsonDepth), piece))).not.toBe('no JSON')
      expect(await told(() => parse(nested(limits.jsonDepth + 1), piece))).toBe('no JSON')
    }
  })

  it('refuses too many values before it makes any', async () => {
    const bounds = { valuesMax: 100, pieceBytes: 50 }
    const parsed = (text: string) => parseJson(Buffer.from(text), bounds)
    const list = (item: string, count: number) => `[${Array(count).fill(item).join(',')}]`
    for (const item of ['{}', '[]', '""', 'true', 'null', '"text"']) {
      expect(await parsed(list(item, 90))).toHaveLength(90)
      await expect(parsed(list(item, 200))).rejects.toThrow(/at most 100/)
    }
    expect(await parsed(list('1.5', 1_500))).toHaveLength(1_500)
    await expect(parsed(list('1.5', 1_700))).rejects.toThrow(/too many values/)
    // No JSON at all, but it is refused before that is known.
    await expect(parsed(list('{}', 200).slice(1))).rejects.toThrow()
  })
})
