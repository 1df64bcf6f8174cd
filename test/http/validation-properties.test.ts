import * as f from '@memory/shared/catalogue/fields'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { entriesMax } from '../../apps/api/src/http/validation/detail.ts'
import { inputBytesMax, inputsBytesMax } from '../../apps/api/src/http/validation/echo.ts'
import { parseRequest } from '../../apps/api/src/http/validation/request.ts'
import { endpoints, examples } from './validation-reference.ts'

const item = endpoints[0]?.schemas.body
const fields = [
  'name,count,ratio,active,tags,ids,meta,attrs,kind,one,color,uid,at,day,email,url,slug,step,union,custom',
  '__proto__,constructor,toString',
].flatMap((names) => names.split(','))

/** Bodies that are nearly what the schema wants: its field names with any JSON. */
const nearly = fc
  .array(
    fc.tuple(
      fc.constantFrom(...fields),
      fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double()),
    ),
  )
  .map((entries) => Object.fromEntries(entries))

/** Whether the loc leads through the request, up to the last step, which may be what is missing. */
function resolves(loc: readonly (string | number)[], root: unknown): boolean {
  let here = root
  const path = loc.slice(1)
  return path.every((key, index) => {
    if (typeof here !== 'object' || here === null) return false
    if (!Object.hasOwn(here, key)) return index === path.length - 1
    here = Reflect.get(here, key)
    return true
  })
}

describe('any body', () => {
  it('is accepted or explained, never thrown at', () => {
    fc.assert(
      fc.property(fc.oneof(nearly, fc.jsonValue(), fc.array(nearly), fc.anything()), (body) => {
        const parsed = parseRequest({ body: item }, { body })
        if (parsed.ok) return
        expect(parsed.detail.length).toBeGreaterThan(0)
        const locs = parsed.detail.map((entry) => JSON.stringify(entry.loc))
        expect(new Set(locs).size).toBe(locs.length)
        for (const entry of parsed.detail) {
          const keys = ['type', 'loc', 'msg', 'input', 'ctx'].filter((key) => key in entry)
          expect(Object.keys(entry)).toEqual(keys)
          expect(entry.msg).not.toBe('')
          // The names of a union's branches stand in the loc, but not in the request.
          if (!entry.loc.includes('union')) expect(resolves(entry.loc, body)).toBe(true)
        }
        expect(() => JSON.stringify(parsed.detail)).not.toThrow()
      }),
      { numRuns: 1_000 },
    )
  })

  it('pollutes no prototype', () => {
    const body: unknown = JSON.parse(
      '{"__proto__":{"name":"okay","polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    )
    const parsed = parseRequest({ body: item }, { body })
    expect(parsed).toMatchObject({ ok: false, detail: [{ type: 'missing', loc: ['body', 'name'] }] })
    expect(JSON.stringify(parsed)).toContain('"__proto__":{"name":"okay","polluted":1}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('secrets', () => {
  const canary = 'canary-7f3a'
  const Register = z.object({
    email: f.email(),
    password: f.plainString(20, 1_024),
    code: f.matching(/^\d{6}$/).optional(),
    profile: z.object({ name: f.text(1, 10), secret: z.int() }),
  })
  const secretly = fc.constantFrom(
    'password',
    'Password',
    'new-password',
    'token',
    'refreshToken',
    'code',
    'SECRET',
  )

  it('are never echoed, however deep and wherever they stand', () => {
    const any = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.record({ profile: tie('value'), list: fc.array(tie('value'), { maxLength: 3 }) }),
        fc.tuple(secretly, tie('secret')).map(([name, value]) => ({ [name]: value, name: 5 })),
      ),
      secret: fc.oneof(fc.constant(canary), fc.constant([canary]), fc.constant({ a: [canary] })),
    })).value
    fc.assert(
      fc.property(any, (body) => {
        const parsed = parseRequest({ body: Register }, { body })
        expect(JSON.stringify(parsed.ok || parsed.detail)).not.toContain(canary)
      }),
      { numRuns: 1_000 },
    )
  })

  it('are not echoed for a fault of their own', () => {
    const parsed = parseRequest({ body: Register }, { body: { password: canary, code: { [canary]: 1 } } })
    expect(JSON.stringify(parsed)).not.toContain(canary)
    expect(parsed).toMatchObject({ detail: [{ loc: ['body', 'email'] }, { input: '[redacted]' }, {}, {}] })
  })

  it('stay secret under a mistyped name, and in bodies of another shape, where the operation has any', () => {
    const options = { redact: ['password'], missingInputNull: true }
    for (const body of [
      { passwrd: canary },
      [canary],
      canary,
      { email: [canary], password: 'x', profile: {} },
    ]) {
      expect(JSON.stringify(parseRequest({ body: Register }, { body }, options))).not.toContain(canary)
    }
  })

  it('leave the other fields of such an operation readable', () => {
    const parsed = parseRequest({ body: Register }, { body: { email: 'nope' } }, { redact: ['password'] })
    expect(parsed).toMatchObject({ detail: [{ loc: ['body', 'email'], input: 'nope' }, {}, {}] })
  })
})

describe('the size of an answer', () => {
  const Body = z.object({
    text: f.text(1, 10),
    items: f.list(z.object({ a: f.integer(0) }), 0, 5_000).optional(),
  })

  it('leaves out an input whose JSON is larger than 8 KiB', () => {
    const answered = parseRequest({ body: Body }, { body: { text: 'x'.repeat(inputBytesMax - 10) } })
    expect(answered).toMatchObject({ detail: [{ type: 'string_too_long', input: expect.any(String) }] })
    const omitted = parseRequest({ body: Body }, { body: { text: 'x'.repeat(1_000_000) } })
    expect(omitted.ok || Object.keys(omitted.detail[0] ?? {})).toEqual(['type', 'loc', 'msg', 'ctx'])
  })

  it('stays small whatever comes in', () => {
    const large = { filler: 'x'.repeat(4_000) }
    const parsed = parseRequest({ body: Body }, { body: { text: 1, items: Array(5_000).fill(large) } })
    expect(parsed.ok || parsed.detail.length).toBe(entriesMax)
    expect(JSON.stringify(parsed).length).toBeLessThan(inputsBytesMax + 32 * 1024)
  })

  it('is not paid for with reading what is left out', () => {
    let reads = 0
    const count = 20_000
    const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]))
    const wide = new Proxy(fields, {
      get: (target, key) => {
        reads++
        return Reflect.get(target, key)
      },
    })
    const parsed = parseRequest({ body: item }, { body: { text: 1, attrs: [wide], tags: wide } })
    expect(parsed.ok).toBe(false)
    // The schema looks at both objects; to show them whole would take another look at each, for each error.
    expect(reads).toBeLessThan(3.5 * count)
  })
})

describe('parts of a request', () => {
  const Optional = z.object({ a: f.integer(0).optional(), b: f.boolean().default(true) })

  it('are reported in the order path, query, header, body', () => {
    const part = z.object({ x: f.queryInteger() })
    const parsed = parseRequest(
      { body: Optional, headers: part, query: part, params: part },
      { params: { x: 'a' }, query: { x: 'a' }, headers: { x: 'a' }, body: { a: 'a' } },
    )
    expect(parsed.ok || parsed.detail.map((entry) => entry.loc[0])).toEqual([
      'path',
      'query',
      'header',
      'body',
    ])
  })

  it('count as empty when they are absent and need nothing', () => {
    expect(parseRequest({ body: Optional, query: Optional }, {})).toMatchObject({
      value: { body: { b: true } },
    })
  })

  it('report a required body that is absent, of whatever shape it should be', () => {
    const missing = {
      ok: false,
      detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }],
    }
    for (const body of [z.object({ a: f.integer(0) }), f.vector(), f.list(f.integer(0), 1, 5)]) {
      expect(parseRequest({ body }, {})).toEqual(missing)
      expect(parseRequest({ body }, {}, { redact: ['token'] })).toEqual(missing)
    }
  })

  it('report a rule over the whole of an absent body at the body', () => {
    const body = Optional.refine(({ a }) => a !== undefined, 'a is needed')
    expect(parseRequest({ body }, {})).toEqual({
      ok: false,
      detail: [
        {
          type: 'value_error',
          loc: ['body'],
          msg: 'Value error, a is needed',
          input: {},
          ctx: { error: {} },
        },
      ],
    })
  })

  it('take query strings from any parser, with or without a prototype', () => {
    const query = Object.assign(Object.create(null), { x: '5' }) as unknown
    expect(parseRequest({ query: z.object({ x: f.queryInteger() }) }, { query })).toMatchObject({ ok: true })
  })
})

it('covers every example of the reference', () => expect(examples.length).toBe(93))
