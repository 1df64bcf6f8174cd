import { type Accel, accel } from '@memory/accel'
import { type IsVectorPlace, parseVectors } from '@memory/engine/kernels/vector-parse'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const implementations: [string, Accel['splitVectors'] | undefined][] = [['javascript', undefined]]
if (accel !== null) implementations.push(['native', accel.splitVectors])

const least = 3

/** The definition. */
function naive(value: unknown): unknown {
  if (Array.isArray(value)) {
    const numbers = value.every((item) => typeof item === 'number' && Number.isFinite(Math.fround(item)))
    return numbers && value.length >= least ? Float32Array.from(value) : value.map(naive)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, naive(field)]))
}

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 1e-300, 3.4028235e38, 3.5e38),
)
const { body: anyBody } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(null, true, '[1,2,3]', '\\"[1,2,3]'),
    anyNumber,
    fc.array(anyNumber),
    fc.array(tie('body'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('1', 'keys')), tie('body'), { maxKeys: 5 }),
  ),
}))

describe.each(implementations)('%s parsing of vectors', (_, split) => {
  const parseAt = (text: string, isVectorPlace: IsVectorPlace) => {
    const bytes = Buffer.from(text)
    return parseVectors(bytes, split?.(bytes, least) ?? null, { least, isVectorPlace })
  }
  const parse = (text: string) => parseAt(text, () => true)

  it('is JSON.parse but for long arrays of numbers', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, fc.constantFrom(undefined, 1), async (body, space) => {
        const text = JSON.stringify(body, null, space)
        expect(await parse(text)).toEqual(naive(JSON.parse(text)))
      }),
      { numRuns: 1_000 },
    )
  })

  it('makes vectors at the places named only, and leaves numbers elsewhere as they were sent', async () => {
    const isKey: IsVectorPlace = (path) => path.length === 2 && path[1] === 'key'
    const parseKeys = (body: unknown) => parseAt(JSON.stringify(body), isKey)
    const key = [0.1, 0.2, 0.3]
    const vector = Float32Array.from(key)
    expect(await parseKeys([{ key }])).toEqual([{ key: vector }])
    expect(await parseKeys([{ key, metadata: { key } }])).toEqual([{ key: vector, metadata: { key } }])
    expect(await parseKeys({ key })).toEqual({ key })
  })

  it('rounds as Math.fround rounds what JSON.parse gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: -3e38, max: 3e38, noNaN: true }), { minLength: least }),
        async (list) => {
          const text = JSON.stringify(list)
          expect(await parse(text)).toEqual(Float32Array.from(JSON.parse(text)))
        },
      ),
    )
  })

  it('throws what JSON.parse throws', async () => {
    for (const text of ['', '[1,2,3', '{"a":[1,2,3],}', '[1,2,3]]', '{"a":[1,2,3] "b":1}', '[[1,2,3],01]']) {
      let message = ''
      try {
        JSON.parse(text)
      } catch (error) {
        message = (error as SyntaxError).message
      }
      await expect(parse(text)).rejects.toThrow(new SyntaxError(message))
    }
  })

  it('cannot be led to other vectors, nor to a prototype', async () => {
    expect(await parse('[[1,2,3],[1e999,0]]')).toEqual([
      Float32Array.of(1, 2, 3),
      [Number.POSITIVE_INFINITY, 0],
    ])
    const body = (await parse('{"__proto__":[1,2,3],"a":{"__proto__":{"b":[4,5,6]}}}')) as Record<
      string,
      object
    >
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect(Object.entries(body)[0]).toEqual(['__proto__', Float32Array.of(1, 2, 3)])
    expect(Object.getPrototypeOf(body.a)).toBe(Object.prototype)
  })

  it('leaves arrays of deep texts as they are', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}[1,2,3]${']'.repeat(depth)}`
    const innermost = async (depth: number) => {
      let value = await parse(nested(depth))
      for (let i = 0; i < depth; i++) value = (value as unknown[])[0]
      return value
    }
    expect(await innermost(127)).toEqual(Float32Array.of(1, 2, 3))
    expect(await innermost(128)).toEqual([1, 2, 3])
    expect(await innermost(2_000)).toEqual([1, 2, 3])
  })
})

describe.skipIf(accel === null)('in the background', () => {
  // What is skipped is read all the same.
  const { splitVectors, splitVectorsLater } = (accel ?? {}) as NonNullable<typeof accel>

  it('splits as at once', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const text = Buffer.from(JSON.stringify(body))
        const found = splitVectors(text, least)
        expect(await splitVectorsLater(text, least)).toEqual(found)
      }),
    )
  })
})
