import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '@memory/shared/platform/database/database'
import { openEmbedded } from '@memory/shared/platform/database/embedded'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let folder: string
let database: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-thread-'))
  database = await openEmbedded(join(folder, 'database'))
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a script that imports from this repository. */
const run = (script: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  })
const embedded = JSON.stringify(
  new URL('../../packages/shared/src/platform/database/embedded.ts', import.meta.url).href,
)

describe('the embedded database in its thread', () => {
  it('gives every kind of value back as it was given', async () => {
    const values = fc.record({
      text: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
      texts: fc.array(
        fc.string().map((text) => text.replaceAll('\0', '')),
        { maxLength: 5 },
      ),
      bytes: fc.uint8Array({ maxLength: 40_000 }),
      int: fc.maxSafeInteger(),
      // PostgreSQL is given 0 for -0.
      float: fc.double({ noNaN: true, noDefaultInfinity: true }).map((float) => float + 0),
      isTrue: fc.boolean(),
      at: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      json: fc.json().map((json) => json.replaceAll('\\u0000', '')),
    })
    await fc.assert(
      fc.asyncProperty(values, async ({ text, texts, bytes, int, float, isTrue, at, json }) => {
        const { rows } = await sql<Record<string, unknown>>`select ${text}::text as text,
          ${texts}::text[] as texts, ${Buffer.from(bytes)}::bytea as bytes, ${int}::int8 as int,
          ${float}::float8 as float, ${isTrue}::boolean as "isTrue", ${at}::timestamptz as at,
          ${json}::json as json, null::text as nothing`.execute(database.queries)
        expect(rows).toEqual([
          {
            text,
            texts,
            bytes: Buffer.from(bytes),
            int,
            float,
            isTrue,
            at,
            json: JSON.parse(json),
            nothing: null,
          },
        ])
      }),
      { numRuns: 100 },
    )
  })

  it('says what is wrong with a statement, in its code too, and goes on', async () => {
    await expect(sql`select 1/0`.execute(database.queries)).rejects.toMatchObject({ code: '22012' })
    const work = database.queries.transaction().execute(async (trx) => {
      await sql`select no_such_column`.execute(trx)
    })
    await expect(work).rejects.toMatchObject({ code: '42703' })
    expect((await sql`select 1 as n`.execute(database.queries)).rows).toEqual([{ n: 1 }])
  })

  it('tells each listener of a channel, until it listens no more', async () => {
    const heard: string[] = []
    const stopFirst = await database.listen('a "channel"', (payload) => heard.push(`first ${payload}`))
    const stopSecond = await database.listen('a "channel"', (payload) => heard.push(`second ${payload}`))
    const notify = (payload: string) =>
      sql`select pg_notify('a "channel"', ${payload})`.execute(database.queries)
    await notify('1')
    await stopFirst()
    await notify('2')
    await stopSecond()
    await notify('3')
    expect(heard).toEqual(['first 1', 'second 1', 'second 2'])
  })

  it('ends the process when it can not read its files, and says why', () => {
    const broken = join(folder, 'broken')
    const { status, stderr } = run(`
      import { writeFileSync } from 'node:fs'
      import { openEmbedded } from ${embedded}
      const folder = ${JSON.stringify(broken)}
      await (await openEmbedded(folder)).close()
      writeFileSync(folder + '/global/pg_control', 'nothing')
      await openEmbedded(folder)`)
    expect(stderr).toMatch(/^The embedded database in .* gave up \(could not read file .*\): put that right/)
    expect(status).toBe(1)
  })

  it('lets a process end that has nothing to do with it, and keeps one that waits for it', () => {
    const inFolder = JSON.stringify(join(folder, 'ending'))
    const { stdout, status } = run(`
      import { sql } from 'kysely'
      import { openEmbedded } from ${embedded}
      const database = await openEmbedded(${inFolder})
      sql\`select pg_sleep(0.3)\`.execute(database.queries).then(() => console.log('answered'))`)
    expect(stdout).toBe('answered\n')
    expect(status).toBe(0)
  })
})
