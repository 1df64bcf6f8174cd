import type { Database } from '@memory/shared/platform/database/database'
import { jsonbText } from '@memory/shared/platform/database/jsonb-text'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from './open-database.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

async function writtenByDatabase(values: unknown[]): Promise<string[]> {
  const texts = values.map((value) => JSON.stringify(value))
  const { rows } = await sql<{ text: string }>`
    select u.v::jsonb::text as text from unnest(${texts}::text[]) with ordinality as u (v, n) order by u.n`.execute(
    database.queries,
  )
  return rows.map(({ text }) => text)
}

// Of any length and script, and some that sort otherwise as numbers or in UTF-16.
const key = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('10', '9', 'b', 'B', 'é', '水', '\u{1f642}', '\uffee'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -1.5, 1e-6, 123456789),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
  ),
}))

it('writes what the database writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), async (values) => {
      expect(values.map(jsonbText)).toEqual(await writtenByDatabase(values))
    }),
    { numRuns: 50 },
  )
})
