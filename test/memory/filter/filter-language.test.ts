import { hasPart } from '@memory/memory/filter/has-part'
import { documentOf } from '@memory/memory/filter/javascript-metadata'
import { compareCodePoints, matches } from '@memory/memory/filter/matches'
import type { JsonObject, JsonValue } from '@memory/shared/catalogue/fields-json'
import { parseFilter } from '@memory/shared/catalogue/filter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterOf, rowOf } from './filters.ts'

const document = documentOf(
  rowOf(
    0,
    {
      city: 'Lyon',
      age: 41,
      tags: ['a', 'b', 3],
      none: null,
      empty: [],
      address: { city: 'Paris', zip: { code: 7 } },
      items: [{ name: 'x' }],
      'a.b': 1,
      $odd: true,
      back: 'C:\\dir',
    },
    { subject: 'ada', occurred_at: Date.parse('2026-05-01T00:00:00Z') },
  ),
  'Die Straße nach ΟΔΟΣ',
)
const holds = (filter: JsonObject) => matches(filterOf(filter), document)

const as = (count: number) => 'a'.repeat(count)

/** Texts of a few letters that say again and again what they begin with. */
const repeats = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 }),
    fc.nat(40),
    fc.constantFrom('', 'a', 'ab'),
  )
  .map(([word, times, end]) => word.repeat(times) + end)

const cases: [filter: JsonObject, isRight: boolean][] = [
  [{ $text: { $contains: 'STRAẞE' } }, true],
  [{ city: 'Lyon' }, true],
  [{ city: 'lyon' }, false],
  [{ city: ['Nice', 'Lyon'] }, true],
  [{ city: [] }, false],
  [{ age: '41' }, false],
  [{ age: 41.0 }, true],
  [{ none: null }, true],
  [{ missing: null }, false],
  [{ tags: 'a' }, true],
  [{ 'items.name': 'x' }, false],
  [{ items: { name: 'x' } }, true],
  [{ tags: 'c' }, false],
  [{ tags: ['c', 3] }, true],
  [{ tags: { $ne: 'a' } }, false],
  [{ tags: { $ne: 'c' } }, true],
  [{ tags: { $nin: ['c', 'b'] } }, false],
  [{ missing: { $ne: 'x' } }, true],
  [{ missing: { $nin: ['x'] } }, true],
  [{ age: { $gt: 40, $lte: 41 } }, true],
  [{ age: { $gt: '40' } }, false],
  [{ city: { $gt: 40 } }, false],
  [{ city: { $gte: 'Lyon', $lt: 'Lyoo' } }, true],
  [{ none: { $lt: 5 } }, false],
  [{ tags: { $gt: 2 } }, true],
  [{ tags: { $gt: 3 } }, false],
  [{ none: { $exists: true } }, true],
  [{ empty: { $exists: true } }, true],
  [{ missing: { $exists: false } }, true],
  [{ empty: { $ne: 1 } }, true],
  [{ city: { $contains: 'yo' } }, true],
  [{ tags: { $contains: 'a' } }, true],
  [{ tags: { $contains: 3 } }, true],
  [{ tags: { $contains: '' } }, false],
  [{ age: { $contains: 41 } }, false],
  [{ city: { $startsWith: 'Ly' } }, true],
  [{ tags: { $startsWith: 'b' } }, true],
  [{ 'address.city': 'Paris' }, true],
  [{ 'address.zip.code': { $gt: 6 } }, true],
  [{ 'tags.0': 'a' }, false],
  [{ 'a.b': 1 }, false],
  [{ 'a\\.b': 1 }, true],
  [{ '\\$odd': true }, true],
  [{ address: { city: 'Paris', zip: { code: 7 } } }, true],
  [{ address: { zip: { code: 7 }, city: 'Paris' } }, true],
  [{ address: { city: 'Paris' } }, false],
  [{ $and: [{ city: 'Lyon' }, { age: 41 }] }, true],
  [{ $or: [{ city: 'Nice' }, { age: 41 }] }, true],
  [{ $not: { city: 'Lyon' } }, false],
  [{ city: 'Lyon', age: 42 }, false],
  [{ $subject: 'ada' }, true],
  [{ $subject: null }, false],
  [{ $external_id: null }, true],
  [{ $external_id: { $exists: false } }, true],
  [{ $external_id: [null, 'x'] }, true],
  [{ $expires_at: null }, true],
  [{ $expires_at: { $lt: '2030-01-01' } }, false],
  [{ $occurred_at: { $gte: '2026-05-01', $lt: '2026-05-01T02:00:00+01:00' } }, true],
  [{ $occurred_at: '2026-05-01T00:00:00.000Z' }, true],
  [{ $text: { $contains: 'STRASSE' } }, true],
  [{ $text: { $contains: 'οδοσ' } }, true],
  [{ $text: { $contains: 'weg' } }, false],
]

describe('a filter', () => {
  it.each(cases)('%j: %s', (filter, isRight) => {
    expect(holds(filter)).toBe(isRight)
  })

  it.each<[filter: JsonObject, path: (string | number)[], message: RegExp]>([
    [{ a: { $regex: 'x' } }, ['a', '$regex'], /unknown operator; there are \$eq/],
    [{ $nor: [{ a: 1 }] }, ['$nor'], /unknown name; there are \$and/],
    [{ a: { $gt: 1, b: 2 } }, ['a', 'b'], /unknown operator/],
    [{ a: { $gt: null } }, ['a', '$gt'], /number or a string/],
    [{ a: { $gt: true } }, ['a', '$gt'], /number or a string/],
    [{ a: { $in: 'x' } }, ['a', '$in'], /takes a list/],
    [{ a: { $eq: ['x'] } }, ['a', '$eq'], /must not be a list/],
    [{ a: [['x']] }, ['a'], /lists must not hold lists/],
    [{ a: { $exists: 1 } }, ['a', '$exists'], /true or false/],
    [{ a: { $startsWith: 3 } }, ['a', '$startsWith'], /takes a string/],
    [{ $and: [] }, ['$and'], /list of filters/],
    [{ $and: { a: 1 } }, ['$and'], /list of filters/],
    [{ $or: [{ a: 1 }, 3] }, ['$or', 1], /must be a filter/],
    [{ $or: [{ a: 1 }, {}] }, ['$or', 1], /empty filter/],
    [{ $not: {} }, ['$not'], /empty filter/],
    [{ $tier: 3 }, ['$tier'], /string or null/],
    [{ $created_at: 'yesterday' }, ['$created_at'], /ISO 8601/],
    [{ $created_at: { $gt: 3 } }, ['$created_at', '$gt'], /ISO 8601/],
    [{ $created_at: { $contains: '2026-01-01' } }, ['$created_at', '$contains'], /not for/],
    [{ $text: 'x' }, ['$text'], /\$contains alone/],
    [{ $text: { $contains: 3 } }, ['$text', '$contains'], /takes a string/],
    [{ $or: Array.from({ length: 101 }, () => ({ a: 1 })) }, ['$or', 100, 'a'], /at most 100 conditions/],
  ])('%j is refused at its place', (filter, path, message) => {
    expect(parseFilter(filter)).toEqual({ fault: { path, message: expect.stringMatching(message) } })
  })

  it('may be eight deep, and no deeper', () => {
    const nested = (depth: number): JsonObject => (depth === 1 ? { a: 1 } : { $not: nested(depth - 1) })
    expect(parseFilter(nested(8))).toHaveProperty('filter')
    expect(parseFilter(nested(9))).toHaveProperty(
      'fault.message',
      expect.stringMatching(/deeper than 8 levels/),
    )
  })

  it('orders strings by code points', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const byBytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
        expect(Math.sign(compareCodePoints(a, b))).toBe(byBytes)
      }),
    ))

  it('finds a part of a text wherever it is, however much of it is repeated', () =>
    fc.assert(
      fc.property(
        fc.nat(90),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 90 }),
        repeats,
        (at, end, text) => {
          const parts = [text.slice(at), text.slice(at, -3), `${text.slice(at)}${end}`, end]
          for (const part of parts) expect(hasPart(text, part)).toBe(text.includes(part))
        },
      ),
    ))

  // A time by the product of the two is most of a minute, of each.
  const many = (count: number, elementOf: (i: number) => JsonValue) =>
    Array.from({ length: count }, (_, i) => elementOf(i))
  const large = Object.fromEntries(many(20_000, (i) => i).map((i) => [`k${i}`, 0]))
  it.each<[what: string, value: JsonValue, condition: JsonValue]>([
    ['a part that repeats itself', as(1_000_000), { $contains: `ab${as(100_000)}` }],
    ['one whose beginning is found', as(1_000_000), { $contains: `${as(40)}b${as(200_000)}` }],
    ['strings', many(100_000, (i) => `x${i}`), { $in: many(100_000, (i) => `y${i}`) }],
    ['numbers', many(100_000, (i) => i), { $in: many(100_000, (i) => -i - 1) }],
    ['objects', many(40_000, (a) => ({ a })), { $in: many(40_000, (a) => ({ a: -a - 1 })) }],
    ['a large object', many(20_000, () => ({})), { $contains: large }],
  ])('looks for %s in the time that both take', { timeout: 10_000 }, (_what, a, condition) => {
    expect(matches(filterOf({ a: condition }), documentOf(rowOf(0, { a })))).toBe(false)
  })

  it('is compared with what is said, whatever it is', () =>
    fc.assert(
      fc.property(fc.jsonValue() as fc.Arbitrary<JsonValue>, (value) => {
        const read = parseFilter({ a: value })
        if ('filter' in read) matches(read.filter, document)
        else expect(read.fault.message).not.toBe('')
      }),
    ))
})
