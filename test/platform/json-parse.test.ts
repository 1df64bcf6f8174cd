import { isRight, mendJsonParse, parseMended } from '@memory/shared/platform/json-parse'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** JSON in which every character of a name is written with an escape where `isEscaped` says so. */
function written(value: unknown, isEscaped: () => boolean): string {
  if (Array.isArray(value)) return `[${value.map((one) => written(one, isEscaped)).join(' , ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const name = (key: string) =>
    `"${key
      .split('')
      .map((unit) => (isEscaped() ? escaped(unit) : JSON.stringify(unit).slice(1, -1)))
      .join('')}"`
  return `{ ${Object.entries(value).map(([key, one]) => `${name(key)} : ${written(one, isEscaped)}`)}}`
}

describe('JSON.parse, mended', () => {
  it('reads names as they are written, whatever was read before', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '\\', '"', 'u', '0', '\n', 'é', '$', '.', '__proto__', '\ud83d', '😀'),
      maxLength: 6,
    })
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        name,
        fc.array(tie('value'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
    }))
    fc.assert(
      fc.property(value, fc.infiniteStream(fc.boolean()), (value, escaped) => {
        const text = written(value, () => escaped.next().value as boolean)
        const read = parseMended(text)
        expect(read).toEqual(value)
        expect(JSON.stringify(read)).toBe(JSON.stringify(value))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['{"a":1,"\\u0061":2}', { a: 2 }],
    ['{"\\u0061":1,"a":2,"\\u0061":3}', { a: 3 }],
    ['{"b":1,"\\u0031":2}', { 1: 2, b: 1 }],
    ['{"a":{"\\n":[{"\\t":"\\":"}]},"b":"\\"\\\\"}', { a: { '\n': [{ '\t': '":' }] }, b: '"\\' }],
    ['"\\u0061"', 'a'],
    ['["\\"", {"\\\\" : ":"}]', ['"', { '\\': ':' }]],
  ])('reads %s', (text, value) => {
    expect(parseMended(text)).toEqual(value)
    expect(Object.keys(parseMended(text) as object)).toEqual(Object.keys(value))
  })

  it('keeps a field with the name of the prototype a field of its own', () => {
    const read = parseMended('{"a":{"\\u005f_proto__":{"\\u0062":1}}}') as { a: object }
    expect(Object.entries(read.a)).toEqual([['__proto__', { b: 1 }]])
    expect(Object.getPrototypeOf(read.a)).toBe(Object.prototype)
  })

  it.each(['{"\\u00":1}', '{"\\n":1', '{"\\n":1}}', '{"\\n" 1}', '{"a":"\\', '\\', '{"\\x":1}'])(
    'refuses %s as the engine does',
    (text) => {
      const messageOf = (parse: (text: string) => unknown) => {
        try {
          return `read ${JSON.stringify(parse(text))}`
        } catch (error) {
          return String(error)
        }
      }
      expect(messageOf(parseMended)).toMatch(/^SyntaxError/)
      expect(messageOf(parseMended)).toBe(messageOf(JSON.parse))
    },
  )

  it('asks a reviver as the engine does', () => {
    const calls: unknown[] = []
    const reviver = (key: string, value: unknown) => {
      calls.push([key, structuredClone(value)])
      return key === 'gone' ? undefined : typeof value === 'number' ? value + 1 : value
    }
    const text = (name: string) => `{"${name}":{"gone":1,"b":[2,{"c":3}]}}`
    const expected = JSON.parse(text('aa'), reviver)
    const said = calls.splice(0)
    expect(parseMended(text('\\u0061a'), reviver)).toEqual(expected)
    expect(calls).toEqual(said)
  })

  it('takes the place of the engine’s where that mixes names up', () => {
    mendJsonParse()
    expect(isRight()).toBe(true)
    JSON.parse('{"name":1,"pr\\\\u00":2}')
    expect(JSON.parse('{"name":1,"pr\\u00e9nom":2}')).toEqual({ name: 1, prénom: 2 })
  })
})
