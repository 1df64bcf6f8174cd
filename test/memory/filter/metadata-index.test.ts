import { accel } from '@memory/accel'
import { documentOf, JavascriptMetadata } from '@memory/memory/filter/javascript-metadata'
import { matches } from '@memory/memory/filter/matches'
import type { DocumentRow, MetadataFound, MetadataIndex } from '@memory/memory/filter/metadata-index'
import { NativeMetadata } from '@memory/memory/filter/native-metadata'
import { hasBit } from '@memory/memory/index/bits'
import type { JsonObject, JsonValue } from '@memory/shared/catalogue/fields-json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterOf, filters, metadata, reserved, rowOf } from './filters.ts'

const now = 2_000

const kinds: [string, () => MetadataIndex][] = [['JavaScript', () => new JavascriptMetadata()]]
if (accel !== null) {
  const { Metadata } = accel
  kinds.push(['native', () => new NativeMetadata(new Metadata())])
}

/** What an index says of a filter, and what looking at each pattern says. */
async function compare(index: MetadataIndex, rows: readonly DocumentRow[], filter: JsonObject, all = false) {
  compareFound(await index.find(filterOf(filter), now, all), rows, filter, all)
}

function compareFound(
  { sure, count, unsure }: MetadataFound,
  rows: readonly DocumentRow[],
  filter: JsonObject,
  all: boolean,
) {
  const read = filterOf(filter)
  const living = rows.filter(({ expires_at, valid_to, enters_at }) => {
    if (expires_at !== null && expires_at <= now) return false
    return all || ((valid_to === null || valid_to > now) && enters_at === null)
  })
  const isRight = (row: DocumentRow) => matches(read, documentOf(row, 'In der STRASSE.'))
  const indexes = Array.from({ length: 8 * sure.length }, (_, idx) => idx).filter((idx) => hasBit(sure, idx))
  expect(count).toBe(indexes.length)
  expect([...unsure]).toEqual([...new Set(unsure)].sort((a, b) => a - b))
  const looked = living.filter((row) => unsure.includes(row.idx) && isRight(row))
  const found = [...indexes, ...looked.map(({ idx }) => idx)].sort((a, b) => a - b)
  expect(new Set(found).size).toBe(found.length)
  expect(found).toEqual(
    living
      .filter(isRight)
      .map(({ idx }) => idx)
      .sort((a, b) => a - b),
  )
}

const number = fc.integer({ min: -1_000, max: 1_000 })

describe.each(kinds)('the %s metadata index', (kind, newIndex) => {
  it('finds what looking at each pattern finds, whatever was put, replaced and removed', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(40), fc.option(metadata), reserved), { maxLength: 30 }),
        fc.array(fc.nat(40), { maxLength: 5 }),
        fc.array(filters, { minLength: 1, maxLength: 6 }),
        async (stored, removed, asked) => {
          const index = newIndex()
          const rows = new Map<number, DocumentRow>()
          for (const [idx, object, more] of stored) {
            const row = rowOf(idx, object, more)
            index.put([row])
            rows.set(idx, row)
          }
          index.remove(removed)
          for (const idx of removed) rows.delete(idx)
          for (const [i, filter] of asked.entries()) {
            await compare(index, [...rows.values()], filter, i % 2 === 1)
          }
        },
      ),
      { numRuns: 400 },
    ))

  it('takes rows in one go as one by one; of an idx given twice the last counts', async () => {
    const index = newIndex()
    const rows = [rowOf(3, { a: 1 }), rowOf(1, { a: 2 }), rowOf(3, { a: 3 })]
    index.put(rows)
    await compare(index, rows.slice(1), { a: { $gte: 1 } })
    expect((await index.find(filterOf({ a: 1 }), now, true)).count).toBe(0)
  })

  it('finds each pattern once, also one that is put again while it looks', async () => {
    const index = newIndex()
    const rows = Array.from({ length: 5_000 }, (_, idx) => rowOf(idx, { n: idx }))
    index.put(rows)
    const asked: JsonObject[] = [{ n: { $gte: 0 } }, { $text: { $contains: 'strasse' } }]
    const finding = asked.map((filter) => index.find(filterOf(filter), now, true))
    index.put(rows.slice(0, 10))
    index.remove([11, 12])
    index.put(rows.slice(11, 13))
    const [sure, unsure] = await Promise.all(finding)
    expect(sure?.count).toBe(rows.length)
    expect([...(unsure?.unsure ?? [])]).toEqual(rows.map(({ idx }) => idx))
  })

  it('gives back the memory of what is removed, but for the place of each', () => {
    const index = newIndex()
    const rows = Array.from({ length: 2_000 }, (_, idx) =>
      rowOf(idx, { id: `the id of ${idx}`, kind: idx % 5 }),
    )
    index.put(rows)
    const full = index.bytes
    expect(full).toBeGreaterThan(100 * rows.length)
    index.remove(rows.map(({ idx }) => idx))
    expect(index.bytes).toBeLessThan(full / 2)
    index.put(rows)
    expect(index.bytes).toBe(full)
  })

  it.runIf(kind === 'native')('counts the place of each there ever was', () => {
    const index = newIndex()
    index.put([rowOf(1_000_000, { kind: 1 })])
    index.remove([1_000_000])
    expect(index.bytes).toBeGreaterThan(64 * 1_000_000)
  })

  it('finds the same where it has no room for values and fields', async () => {
    const index = newIndex()
    const many = (idx: number): JsonObject =>
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`key ${idx}/${i}`, `${'long '.repeat(40)}${idx}/${i}`]),
      )
    const rows = Array.from({ length: 400 }, (_, idx) =>
      rowOf(idx, { ...many(idx), id: `${'id '.repeat(60)}${idx}`, box: { in: { [`key ${idx}`]: idx } } }),
    )
    index.put(rows)
    const asked: JsonObject[] = [
      { id: `${'id '.repeat(60)}399` },
      { id: { $ne: `${'id '.repeat(60)}7` } },
      { 'key 399/29': { $exists: true } },
      { 'key 2/1': { $startsWith: 'long' } },
      { 'key 398/3': { $contains: '398/3' } },
      { 'box.in.key 0': 0 },
      { 'box.in.key 399': { $gte: 399 } },
      { 'box.key 399': { $exists: true } },
    ]
    for (const filter of asked) await compare(index, rows, filter)
    expect(index.bytes).toBeLessThan(20_000_000)
  })

  it('keeps numbers where strings take all the room', async () => {
    const index = newIndex()
    index.put(
      Array.from({ length: 8_000 }, (_, n) => rowOf(n, { note: `${'long '.repeat(40)}${n}`, size: n })),
    )
    expect(await index.find(filterOf({ size: { $gte: 0 } }), now, false)).toMatchObject({
      count: 8_000,
      unsure: new Int32Array(),
    })
  })

  // A time by the square of what is put is minutes.
  it.each<[string, (i: number) => JsonValue]>([
    ['numbers', (i) => i],
    ['strings', (i) => `s${i}`],
    ['both', (i) => (i % 2 === 0 ? i : `s${i}`)],
  ])(
    'takes long lists of %s in the time that their elements take',
    { timeout: 30_000 },
    async (_what, elementOf) => {
      const index = newIndex()
      const list = Array.from({ length: 2_500 }, (_, i) => elementOf(i))
      index.put(Array.from({ length: 60 }, (_, idx) => rowOf(idx, { list, one: elementOf(idx) })))
      expect((await index.find(filterOf({ list: elementOf(2_499) }), now, true)).count).toBe(60)
      index.remove(Array.from({ length: 60 }, (_, idx) => idx))
      expect((await index.find(filterOf({ list: elementOf(2_499) }), now, true)).count).toBe(0)
    },
  )

  it('finds ranges of many numbers, of lists one element at each end', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(number, fc.array(number, { maxLength: 2 }), fc.constantFrom('x', null)), {
          minLength: 600,
          maxLength: 700,
        }),
        fc.array(fc.tuple(number, number), { minLength: 4, maxLength: 4 }),
        async (values, ends) => {
          const index = newIndex()
          const rows = values.map((n, idx) => rowOf(idx, { n }))
          index.put(rows)
          // Replaced by what stood before them, and every third removed.
          const replaced = rows.map((row, i) => rowOf(row.idx, { n: values[Math.max(0, i - 1)] ?? null }))
          index.put(replaced.slice(0, 300))
          const now = [...replaced.slice(0, 300), ...rows.slice(300)]
          index.remove(now.filter(({ idx }) => idx % 3 === 0).map(({ idx }) => idx))
          const left = now.filter(({ idx }) => idx % 3 !== 0)
          for (const [low, high] of ends) {
            await compare(index, left, { n: { $gte: low, $lt: high } })
            await compare(index, left, { n: { $lte: low } })
            await compare(index, left, {
              $and: [{ n: { $gt: low } }, { n: { $lte: high } }, { n: { $ne: 5 } }],
            })
          }
        },
      ),
      { numRuns: 10 },
    ))

  it('answers a hundred conditions on 20,000 patterns', async () => {
    const index = newIndex()
    const rows = Array.from({ length: 20_000 }, (_, idx) =>
      rowOf(idx, { user: `u${idx % 1_000}`, n: idx, tags: ['a', `t${idx % 50}`] }),
    )
    index.put(rows)
    const of = Array.from({ length: 25 }, (_, i) => ({
      user: `u${i}`,
      n: { $gte: i, $lt: 15_000 },
      tags: { $contains: `t${i}` },
    }))
    await compare(index, rows, { $or: of })
  })
})

describe.skipIf(accel === null)('a filter that takes the native index many turns', () => {
  it('finds what looking at each pattern finds, whatever is put and removed between the turns', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.option(metadata), reserved), { minLength: 1, maxLength: 20 }),
        fc.array(fc.tuple(fc.nat(25), fc.option(fc.tuple(fc.option(metadata), reserved))), { maxLength: 8 }),
        fc.array(filters, { minLength: 2, maxLength: 4 }),
        fc.boolean(),
        async (stored, changes, of, all) => {
          if (accel === null) return
          const index = new NativeMetadata(new accel.Metadata(), 0)
          const rows = new Map(stored.map(([object, more], idx) => [idx, rowOf(idx, object, more)]))
          index.put([...rows.values()])
          let isDone = false
          const finding = Promise.resolve(index.find(filterOf({ $or: of }), now, all)).finally(() => {
            isDone = true
          })
          for (const [idx, change] of changes) {
            await new Promise(setImmediate)
            if (isDone) break
            if (change === null) {
              rows.delete(idx)
              index.remove([idx])
            } else {
              rows.set(idx, rowOf(idx, ...change))
              index.put([rows.get(idx) as DocumentRow])
            }
          }
          compareFound(await finding, [...rows.values()], { $or: of }, all)
        },
      ),
      { numRuns: 200 },
    ))
})
