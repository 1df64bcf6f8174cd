import type { DocumentRow } from '@memory/memory/filter/metadata-index'
import type { JsonObject, JsonValue } from '@memory/shared/catalogue/fields-json'
import { type Filter, parseFilter } from '@memory/shared/catalogue/filter'
import fc from 'fast-check'

/** What a filter says. @throws for one that is wrong */
export function filterOf(filter: JsonObject): Filter {
  const read = parseFilter(filter)
  if ('fault' in read) throw new Error(`${read.fault.path.join('.')}: ${read.fault.message}`)
  return read.filter
}

/** A row of nothing but metadata, unless given. */
export const rowOf = (
  idx: number,
  metadata: JsonObject | null,
  more: Partial<DocumentRow> = {},
): DocumentRow => ({
  idx,
  metadata: metadata === null ? null : JSON.stringify(metadata),
  subject: null,
  external_id: null,
  category: null,
  tier: 'hot',
  created_at: 1_000,
  updated_at: 1_000,
  occurred_at: 1_000,
  expires_at: null,
  valid_to: null,
  enters_at: null,
  ...more,
})

/** Few of each, so that filters find something; those that are said to differ by order, form or length among them. */
const strings = fc.constantFrom(
  '',
  'a',
  'b',
  'ab',
  'abc',
  'A',
  'é',
  'e\u0301',
  '\uffff',
  '\u{10000}',
  '10',
  '2026-01-02',
  'x'.repeat(257),
  `${'x'.repeat(257)}y`,
  '\u{1f600}'.repeat(70),
)
const numbers = fc.constantFrom(0, -0, 1, 2, 10, -1, 0.1, 0.30000000000000004, 1e300, 9007199254740991)
const scalars: fc.Arbitrary<JsonValue> = fc.oneof(strings, numbers, fc.boolean(), fc.constant(null))
const keys = fc.constantFrom('a', 'b', 'a.b', '$x', 'c\\', '')

const objects = (values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  fc.dictionary(keys, values, { maxKeys: 3, noNullPrototype: true })
const within: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: scalars },
  { weight: 2, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  { weight: 1, arbitrary: objects(scalars) },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(objects(scalars), fc.array(scalars, { maxLength: 2 })), { maxLength: 2 }),
  },
)
/** Metadata of a pattern. */
export const metadata: fc.Arbitrary<JsonObject> = objects(
  fc.oneof({ weight: 3, arbitrary: within }, { weight: 1, arbitrary: objects(within) }),
)

const words = fc.constantFrom('hot', 'cold', 'ada', 'ben', 'a')
const moments = fc.constantFrom(1_000, 2_000, 3_000)
/** What every pattern has beside its metadata. */
export const reserved: fc.Arbitrary<Partial<DocumentRow>> = fc.record({
  subject: fc.option(words),
  external_id: fc.option(words),
  category: fc.option(words),
  tier: fc.constantFrom('hot', 'cold'),
  created_at: moments,
  updated_at: moments,
  occurred_at: moments,
  expires_at: fc.option(moments),
  valid_to: fc.option(moments),
  enters_at: fc.option(fc.constant(9_000), { freq: 2 }),
})

const paths = fc.constantFrom('a', 'b', 'a\\.b', 'a.b', 'a.a', 'b.a.b', '\\$x', 'c\\\\', '', 'none')
const operandObjects = objects(scalars).filter(
  (object) => !Object.keys(object).some((key) => key.startsWith('$')),
)
const operands = fc.oneof({ weight: 5, arbitrary: scalars }, { weight: 1, arbitrary: operandObjects })
const ordered = fc.oneof(strings, numbers)
const conditions: fc.Arbitrary<JsonValue> = fc.oneof(
  operands,
  fc.array(operands, { maxLength: 3 }),
  fc.record({ $eq: operands }),
  fc.record({ $ne: operands }),
  fc.record({ $gt: ordered }),
  fc.record({ $gte: ordered, $lt: ordered }),
  fc.record({ $lte: ordered }),
  fc.record({ $in: fc.array(operands, { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(operands, { maxLength: 3 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $contains: operands }),
  fc.record({ $startsWith: strings }),
)
const iso = moments.map((at) => new Date(at).toISOString())
const reservedConditions: fc.Arbitrary<JsonObject> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('$subject', '$external_id', '$category', '$tier'),
      fc.oneof(
        fc.option(words),
        fc.array(fc.option(words), { maxLength: 2 }),
        fc.record({ $ne: fc.option(words) }),
        fc.record({ $gte: words }),
        fc.record({ $exists: fc.boolean() }),
        fc.record({ $contains: words }),
        fc.record({ $startsWith: words }),
      ),
    )
    .map(([field, condition]) => ({ [field]: condition as JsonValue })),
  fc
    .tuple(
      fc.constantFrom('$created_at', '$updated_at', '$occurred_at', '$expires_at'),
      fc.oneof(
        fc.option(iso),
        fc.record({ $gt: iso }),
        fc.record({ $gte: iso, $lte: iso }),
        fc.record({ $lt: iso }),
        fc.record({ $nin: fc.array(fc.option(iso), { maxLength: 2 }) }),
        fc.record({ $exists: fc.boolean() }),
      ),
    )
    .map(([field, condition]) => ({ [field]: condition as JsonValue })),
  fc.constantFrom<JsonObject>({ $text: { $contains: 'Straße' } }),
)

/** Filters as callers write them. */
export const filters: fc.Arbitrary<JsonObject> = fc.letrec<{ filter: JsonObject }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.dictionary(paths, conditions, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    reservedConditions,
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $not: tie('filter') }),
  ),
})).filter
