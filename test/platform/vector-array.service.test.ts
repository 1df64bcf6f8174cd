import type { Database } from '@memory/shared/platform/database/database'
import {
  readVector,
  vectorArray,
  vectorBytes,
  vectorText,
} from '@memory/shared/platform/database/vector-array'
import fc from 'fast-check'
import { sql } from 'kysely'
import { fromSql, toSql } from 'pgvector'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from './open-database.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const vector = fc
  .array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 20 })
  .map((numbers) => Float32Array.from(numbers))

async function readBack(vectors: (Float32Array | null)[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ numbers: string | null }>`
    select u.v::real[]::text as numbers from unnest(${vectorArray(vectors)}::vector[]) with ordinality as u (v, n)
      order by u.n`.execute(database.queries)
  return rows.map(({ numbers }) => numbers)
}

const numbersIn = (text: string | null) =>
  text === null ? null : Float32Array.from(JSON.parse(text.replace(/^\{(.*)\}$/, '[$1]')) as number[])

it('is read by the database as the same vectors, nulls among them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(vector, { nil: null, freq: 4 }), { minLength: 1, maxLength: 8 }),
      async (vectors) => {
        expect((await readBack(vectors)).map(numbersIn)).toEqual(vectors)
      },
    ),
    { numRuns: 50 },
  )
})

it('takes the largest vectors, and views of a part of a buffer', async () => {
  const long = Float32Array.from({ length: 8_192 }, (_, i) => Math.sin(i))
  const part = long.subarray(3, 7)
  expect((await readBack([part, long])).map(numbersIn)).toEqual([part, long])
})

it('stores what the text form would', async () => {
  const long = Float32Array.from({ length: 384 }, (_, i) => Math.fround(1 / (i + 1)))
  const { rows } = await sql<{ same: boolean }>`
    select (${vectorArray([long])}::vector[])[1] = ${vectorText(long)}::text::vector as same`.execute(
    database.queries,
  )
  expect(rows).toEqual([{ same: true }])
})

it('has the forms that the package pgvector writes and reads', () => {
  fc.assert(
    fc.property(vector, (values) => {
      // JSON, which the package writes, has no negative zero.
      const plain = values.map((value) => value + 0)
      expect(vectorText(plain)).toBe(toSql(Array.from(plain)))
      expect(Float32Array.from(fromSql(vectorText(plain)) as number[])).toEqual(plain)
      const read = new Float32Array(values.length)
      expect(readVector(vectorBytes(values), read)).toBe(values.length)
      expect(read).toEqual(values)
    }),
  )
})
