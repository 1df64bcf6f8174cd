import * as f from '@memory/shared/catalogue/fields'
import { isInvisible } from '@memory/shared/catalogue/invisible'
import { limits } from '@memory/shared/catalogue/limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from 'zod-openapi'
import { parseRequest } from '../../apps/api/src/http/validation/request.ts'
import { characterKinds, pickFrom } from '../support/characters.ts'

/** `type` of the first fault of a body `{ field }`, or the value. */
function read(schema: z.ZodType, field: unknown): unknown {
  const parsed = parseRequest({ body: z.object({ field: schema }) }, { body: { field } })
  return parsed.ok ? parsed.value.body.field : parsed.detail[0]?.type
}

const message = (schema: z.ZodType, field: unknown): string | undefined => {
  const parsed = parseRequest({ body: z.object({ field: schema }) }, { body: { field } })
  return parsed.ok ? undefined : parsed.detail[0]?.msg
}

describe('text', () => {
  it('counts code points, not UTF-16 units', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.nat(20),
        fc.nat(20),
        (value, min, more) => {
          const points = [...value].length
          const expected = points < min ? 'string_too_short' : points > min + more ? 'string_too_long' : value
          const sound = value.isWellFormed() && !value.includes('\0')
          expect(read(f.plainString(min, min + more), value)).toBe(
            sound || expected !== value ? expected : 'value_error',
          )
        },
      ),
    )
  })

  it('takes exactly as many characters as it allows', () => {
    expect(read(f.text(1, 3), '😀😀😀')).toBe('😀😀😀')
    expect(read(f.text(1, 3), '😀😀😀😀')).toBe('string_too_long')
    expect(read(f.text(2, 3), '😀')).toBe('string_too_short')
  })

  it.each(['', ' ', '\t\n\u00a0\u2003'])('refuses %j as too short', (blank) => {
    expect(read(f.text(1, 10), blank)).toBe('string_too_short')
  })

  it('refuses what is invisible as too short, and takes it beside what can be seen', () => {
    const { invisible, controls, space } = characterKinds
    const hidden = fc.string({ unit: pickFrom(invisible, controls, space), minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(hidden, fc.constantFrom(...'aé李🪿\u0301.ހ'), (text, visible) => {
        expect(isInvisible(text)).toBe(true)
        expect(read(f.text(1, 20), text)).toBe('string_too_short')
        for (const shown of [`${text}${visible}`, `${visible}${text}`]) {
          expect(read(f.text(1, 20), shown)).toBe(shown)
        }
        // A password or a token may be anything.
        expect(read(f.plainString(1, 20), text)).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })

  it('takes letters, digits, marks, signs and what is not assigned yet for visible', () => {
    for (const visible of ['\u0600', '\u0301', '\u0378', '\ue000', '\u2801', '०', '👍🏽', '®']) {
      expect(isInvisible(visible), visible).toBe(false)
    }
  })

  it('takes a text whose normal form is as long as it may be, and refuses a longer one with a reason', () => {
    const { queryChars, queryFormChars } = limits
    const ofForm = (length: number) => `\ufdfa${'a'.repeat(length - 18)}`
    expect([...ofForm(queryFormChars).normalize('NFKC')]).toHaveLength(queryFormChars)
    expect(read(f.text(1, queryFormChars), ofForm(queryFormChars))).toBe(ofForm(queryFormChars))
    expect(message(f.text(1, queryFormChars), ofForm(queryFormChars + 1))).toBe(
      `Value error, text must have at most ${queryFormChars} characters in normal form (NFKC)`,
    )
    // As long as a query may be, in the scripts that people write, also where each letter is decomposed or of full width.
    for (const usual of ['a', 'é'.normalize('NFD'), '漢', '각'.normalize('NFD'), 'Ａ', 'ﬁ', '😀']) {
      const text = usual.repeat(queryChars / [...usual].length)
      expect(read(f.text(1, queryChars), text), usual).toBe(text)
    }
    // A text that is stored may be of any.
    expect(read(f.longText(), '\ufdfa'.repeat(limits.textChars))).toHaveLength(limits.textChars)
    expect(read(f.longText(), 'a'.repeat(limits.textChars + 1))).toBe('string_too_long')
    expect(read(f.longText(), ' ')).toBe('string_too_short')
  })

  it('keeps the white space around a text', () => expect(read(f.text(1, 10), ' a ')).toBe(' a '))

  it.each(['a\0b', '\ud800', 'a\udc00'])('refuses %j with a reason', (value) => {
    expect(message(f.text(1, 10), value)).toMatch(/^Value error, text must not contain/)
    expect(read(f.plainString(0, 10), value)).toBe('value_error')
  })
})

describe('numbers of a body', () => {
  it.each([
    ['five', 'int_parsing'],
    ['', 'int_parsing'],
    ['5', 'int_type'],
    ['2.0', 'int_type'],
    [true, 'int_type'],
    [null, 'int_type'],
    [1.5, 'int_from_float'],
    [Number.POSITIVE_INFINITY, 'finite_number'],
    [1e300, 'less_than_equal'],
    [0, 'greater_than_equal'],
    [JSON.parse('2.0'), 2],
  ])('integer reads %j as %j', (input, expected) => expect(read(f.integer(1, 50), input)).toBe(expected))

  it.each([
    ['half', 'float_parsing'],
    ['', 'float_parsing'],
    ['0.5', 'float_type'],
    ['1e-1', 'float_type'],
    [false, 'float_type'],
    [JSON.parse('1e999'), 'finite_number'],
    [1.1, 'less_than_equal'],
    [-0.1, 'greater_than_equal'],
    [1, 1],
  ])('number reads %j as %j', (input, expected) => expect(read(f.number(0, 1), input)).toBe(expected))
})

describe('parameters', () => {
  it.each([
    ['7', 7],
    [' +1_0 ', 10],
    ['3.000', 3],
    ['', 'int_parsing'],
    ['1.5', 'int_parsing'],
    ['1__0', 'int_parsing'],
    ['0x10', 'int_parsing'],
    ['1e2', 'int_parsing'],
    ['99', 'less_than_equal'],
    ['9'.repeat(5000), 'int_parsing_size'],
    [['1', '2'], 'int_type'],
  ])('queryInteger reads %j as %j', (input, expected) => {
    expect(read(f.queryInteger(0, 50, 5), input)).toBe(expected)
  })

  it('takes any integer where there are no bounds', () => {
    expect(read(f.queryInteger(), '99999999999999999999')).toBe(1e20)
    expect(read(f.queryInteger(), '-1')).toBe(-1)
  })

  it.each([
    ['YES', true],
    ['off', false],
    ['1', true],
    ['', 'bool_parsing'],
    ['2', 'bool_parsing'],
    [['true'], 'bool_type'],
  ])('queryBoolean reads %j as %j', (input, expected) => expect(read(f.queryBoolean(), input)).toBe(expected))

  it.each([
    ['.5', 0.5],
    ['1e-1', 0.1],
    ['nan', 'finite_number'],
    ['-inf', 'finite_number'],
    ['', 'float_parsing'],
    ['0x1', 'float_parsing'],
  ])('queryNumber reads %j as %j', (input, expected) =>
    expect(read(f.queryNumber(0, 1), input)).toBe(expected),
  )

  it('fills in the default and refuses what is repeated', () => {
    const query = z.object({
      period: f.queryEnum(['7d', '30d'], '30d'),
      cursor: f.queryString(1, 9).optional(),
    })
    expect(parseRequest({ query }, { query: {} })).toMatchObject({
      ok: true,
      value: { query: { period: '30d' } },
    })
    const repeated = parseRequest({ query }, { query: { period: ['7d', '7d'], cursor: ['a', 'b'] } })
    expect(repeated).toMatchObject({ ok: false, detail: [{ type: 'enum' }, { type: 'string_type' }] })
  })
})

describe('uuid', () => {
  const id = '018f3c5e-7d1a-7000-8000-0123456789ab'

  it.each([id, id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, `urn:uuid:${id}`])(
    'reads %s',
    (input) => {
      expect(read(f.uuid(), input)).toBe(id)
    },
  )

  it.each([
    ['', 'invalid length: found 0'],
    ['é', 'invalid character: found `é` at 0'],
    ['{12x}', 'invalid character: found `x` at 3'],
    ['12345678-1234', 'invalid group count: expected 5, found 2'],
    ['1234567-1234-1234-1234-123456789012', 'invalid group length in group 0: expected 8, found 7'],
    [`${id}0`, 'invalid group length in group 4: expected 12, found 13'],
  ])('says why %j is none', (input, reason) => {
    expect(message(f.uuid(), input)).toBe(`Input should be a valid UUID, ${reason}`)
  })
})

describe('a string in a header', () => {
  /** As Node gives it: each byte is a character. */
  const sent = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('latin1')

  it.each([
    ['ada', 'utf8'],
    ['Маша', 'utf8'],
    ['妹妹 👩‍👧', 'utf8'],
    ['é', 'latin1'],
  ] as const)('says %s, in %s', (text, encoding) => {
    expect(read(f.headerString(1, 128), sent(text, encoding))).toBe(text)
  })

  it('is counted in characters', () => {
    expect(read(f.headerString(1, 4), sent('Маша', 'utf8'))).toBe('Маша')
    expect(message(f.headerString(1, 3), sent('Маша', 'utf8'))).toBe(
      'String should have at most 3 characters',
    )
  })
})

describe('timestamp', () => {
  it.each([
    ['2024-05-01T12:30:00Z', '2024-05-01T12:30:00.000Z'],
    ['2024-05-01T12:30:00', '2024-05-01T12:30:00.000Z'],
    ['2024-05-01 12:30+02:00', '2024-05-01T10:30:00.000Z'],
    ['2024-05-01t12:30:00.1234567-0130', '2024-05-01T14:00:00.123Z'],
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['2024-02-29T00:00:00z', '2024-02-29T00:00:00.000Z'],
    ['2025-05-03 09:00:00+00', '2025-05-03T09:00:00.000Z'],
    ['2025-05-03T09:00:00-08', '2025-05-03T17:00:00.000Z'],
  ])('reads %s as %s', (input, expected) => {
    expect((read(f.timestamp(), input) as Date).toISOString()).toBe(expected)
  })

  it.each([
    ['2023-02-29', 'day value is outside expected range'],
    ['2024/05/01', 'invalid date separator, expected `-`'],
    ['2024-05-01T24:00:00Z', 'unexpected extra characters at the end of the input'],
    ['2024-05-01T12:30:00+25:00', 'unexpected extra characters at the end of the input'],
    ['0000-01-01', 'year 0 is out of range'],
    ['9999-12-31T23:59:59-01:00', 'year 10000 is out of range'],
    ['1700000000', 'invalid date separator, expected `-`'],
    ['', 'input is too short'],
  ])('says why %j is none', (input, reason) => {
    expect(message(f.timestamp(), input)).toBe(`Input should be a valid datetime or date, ${reason}`)
  })

  it('never throws, and is a valid date whenever it passes', () => {
    const nearly = fc.stringMatching(
      /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/,
    )
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ unit: 'binary' })), (input) => {
        const value = read(f.timestamp(), input)
        if (value instanceof Date) expect(Number.isFinite(value.getTime())).toBe(true)
      }),
    )
  })

  it('can be asked to lie in the future of a clock', () => {
    const now = new Date('2024-05-01T00:00:00Z')
    expect(() => f.requireFuture(now, now)).toThrow(expect.objectContaining({ name: 'ValidationError' }))
    expect(() => f.requireFuture(new Date(now.getTime() + 1), now)).not.toThrow()
    expect(() => f.requireFuture(null, now)).not.toThrow()
  })
})

describe('email', () => {
  it.each([
    ['Ana.B+x@Example.COM', 'ana.b+x@example.com'],
    [' ana@example.com ', 'ana@example.com'],
    ['jörg@müller.de', 'jörg@xn--mller-kva.de'],
    ['jo\u0308rg@MU\u0308LLER.de', 'jörg@xn--mller-kva.de'],
    ['ada@XN--mller-kva.DE', 'ada@xn--mller-kva.de'],
    ['ﬁnn@straße.de', 'finn@xn--strae-oqa.de'],
  ])('reads %j as %j', (input, expected) => expect(read(f.email(), input)).toBe(expected))

  it.each([
    ['a@', 'There must be something after the @-sign.'],
    ['a..b@x.org', 'An email address cannot have two periods in a row.'],
    ['.a@x.org', 'An email address cannot start with a period.'],
    ['a b@x.org', 'The email address contains invalid characters before the @-sign: SPACE.'],
    ['a@x_y.org', "The part after the @-sign contains invalid characters: '_'."],
    ['a\0@x.org', 'The email address contains invalid characters before the @-sign: U+0000.'],
    [`a@${'ü'.repeat(61)}.org`, 'After the @-sign, periods cannot be separated by so many characters.'],
    ['a@x.0x7f', 'The part after the @-sign is not valid IDNA.'],
    ['a@-x.org', 'An email address cannot have a hyphen immediately after the @-sign.'],
    ['a@127.0.0.1', 'The part after the @-sign is not valid. It is not within a valid top-level domain.'],
    [`${'a'.repeat(65)}@x.org`, 'The email address is too long before the @-sign (1 characters too many).'],
    ['a'.repeat(3000), 'Length must not exceed 2048 characters'],
  ])('says why %j is none', (input, reason) => {
    expect(message(f.email(), input)).toBe(`value is not a valid email address: ${reason}`)
  })
})

describe('metadata', () => {
  const nested = (levels: number): unknown => (levels === 1 ? {} : { a: nested(levels - 1) })
  /** An object whose compact JSON has `bytes` bytes. */
  const sized = (bytes: number) => ({ a: 'é'.repeat((bytes - 9) / 2) + 'x'.repeat(1 + ((bytes - 9) % 2)) })

  it('takes 16 KiB and not a byte more', () => {
    expect(Buffer.byteLength(JSON.stringify(sized(16_384)))).toBe(16_384)
    expect(read(f.metadata(), sized(16_384))).toBeTypeOf('object')
    expect(message(f.metadata(), sized(16_385))).toBe(
      'Value error, metadata must be at most 16384 bytes of JSON',
    )
  })

  it('takes 8 levels and not one more, of objects or of lists', () => {
    expect(read(f.metadata(), nested(8))).toBeTypeOf('object')
    expect(message(f.metadata(), nested(9))).toBe(
      'Value error, metadata must not be nested deeper than 8 levels',
    )
    expect(read(f.metadata(), { a: [[[[[[[1]]]]]]] })).toBeTypeOf('object')
    expect(read(f.metadata(), { a: [[[[[[[[1]]]]]]]] })).toBe('value_error')
  })

  it.each([
    [[1], 'dict_type'],
    ['x', 'dict_type'],
    [{ a: 'b\0' }, 'value_error'],
    [{ '\ud800': 1 }, 'value_error'],
    [{ a: [2 ** 53] }, 'value_error'],
    [{ a: JSON.parse('1e999') }, 'value_error'],
    [null, null],
  ])('reads %j as %j', (input, expected) => expect(read(f.metadata(), input)).toBe(expected))

  it('takes all that is within its bounds, unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }), (value) => {
        const text = JSON.stringify(value)
        const hasNul = /\\u0000/.test(text)
        const hasLargeInteger = /(?<![\d.])-?\d{16,}(?![\d.])|e\+/.test(text)
        fc.pre(!hasNul && !hasLargeInteger)
        const input: unknown = JSON.parse(text)
        expect(read(f.metadata(), input)).toStrictEqual(input)
      }),
    )
  })

  it('keeps hostile keys as data and pollutes nothing', () => {
    const input: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    )
    const value = read(f.metadata(), input) as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('filter', () => {
  it.each([
    [{}, undefined],
    [null, undefined],
    [[], 'dict_type'],
    [{ a: [[1]] }, 'value_error'],
    [{ a: 'x\0' }, 'value_error'],
  ])('reads %j as %j', (input, expected) => expect(read(f.filter(), input)).toBe(expected))

  it('takes scalars, objects and lists of them, or nothing', () => {
    const value = { user: 'u1', tag: ['a', null, { b: 1 }], team: { id: 1 } }
    expect(read(f.filter(), value)).toEqual({
      kind: 'and',
      of: [
        { kind: 'equals', field: '.user', values: ['u1'] },
        { kind: 'equals', field: '.tag', values: value.tag },
        { kind: 'equals', field: '.team', values: [value.team] },
      ],
    })
    expect(parseRequest({ body: z.object({ filter: f.filter() }) }, { body: {} }).ok).toBe(true)
  })
})

describe('vector', () => {
  it('rounds to float32', () => {
    expect(read(f.vector(), [0.1, -2, 0])).toEqual(Float32Array.of(0.1, -2, 0))
  })

  it.each([
    [[], 'too_short'],
    [[1, 2, 3, 4], 'too_long'],
    [{ 0: 1, length: 1 }, 'list_type'],
    [['one'], 'float_parsing'],
    [['1'], 'float_type'],
    [[null], 'float_type'],
    [[Number.POSITIVE_INFINITY], 'finite_number'],
    [[1e39], 'value_error'],
    [[0, -0], 'value_error'],
    [[1e-60], 'value_error'],
  ])('refuses %j as %s', (input, type) => expect(read(f.vector(3, { nonZero: true }), input)).toBe(type))

  it('says which elements are wrong', () => {
    const parsed = parseRequest({ body: f.vector() }, { body: [1, 'x', 2, null] })
    expect(parsed).toMatchObject({ ok: false, detail: [{ loc: ['body', 1] }, { loc: ['body', 3] }] })
  })

  it('may be all zero where that is allowed', () => {
    expect(read(f.vector(), [0])).toEqual(Float32Array.of(0))
  })
})

describe('list', () => {
  it('refuses a long list before it looks at an item', () => {
    let looked = 0
    const item = z.unknown().refine(() => ++looked > 0)
    expect(read(f.list(item, 1, 50), Array(100_000).fill(0))).toBe('too_long')
    expect(looked).toBe(0)
    expect(read(f.list(item, 1, 50), [])).toBe('too_short')
    expect(read(f.list(item, 1, 50), {})).toBe('list_type')
  })
})

describe('OpenAPI', () => {
  it('shows the bounds of the fields', () => {
    const body = z.object({
      text: f.text(1, 10_000).meta({ description: 'What to remember' }),
      top_k: f.integer(1, 50).default(5),
      source_dim: f.integer(1).nullable().optional(),
      metadata: f.metadata().optional(),
      items: f.list(z.object({ text: f.text(1, 5) }), 1, 50),
      key: f.vector(),
    })
    const query = z.object({ limit: f.queryInteger(1, 200, 50), period: f.queryEnum(['7d', '30d']) })
    const document = createDocument({
      openapi: '3.1.0',
      info: { title: 'fields', version: '1' },
      paths: {
        '/': {
          post: {
            requestParams: { query },
            requestBody: { content: { 'application/json': { schema: body } } },
            responses: {},
          },
        },
      },
    })
    const operation = document.paths?.['/']?.post
    expect(operation?.requestBody).toEqual({
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              text: { type: 'string', minLength: 1, maxLength: 10_000, description: 'What to remember' },
              top_k: { type: 'integer', minimum: 1, maximum: 50, default: 5 },
              source_dim: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
              metadata: { anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }] },
              items: {
                type: 'array',
                minItems: 1,
                maxItems: 50,
                items: {
                  type: 'object',
                  properties: { text: { type: 'string', minLength: 1, maxLength: 5 } },
                  required: ['text'],
                },
              },
              key: { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 8_192 },
            },
            required: ['text', 'items', 'key'],
          },
        },
      },
    })
    expect(operation?.parameters).toEqual([
      { in: 'query', name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
      { in: 'query', name: 'period', required: true, schema: { type: 'string', enum: ['7d', '30d'] } },
    ])
  })
})
