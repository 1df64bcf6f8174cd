import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@memory/shared/platform/config'
import { asTask, asTenant, type Database, type Queries } from '@memory/shared/platform/database/database'
import { listVersions, readProofs, sealedColumns } from '@memory/shared/platform/database/sealed-values'
import { createLog } from '@memory/shared/platform/log'
import { openSecrets } from '@memory/shared/platform/master-key'
import { append } from '@memory/shared/platform/outbox/outbox'
import { resealSecrets, sayWhichIsFirst } from '@memory/shared/platform/reseal'
import { SealError, type Secrets } from '@memory/shared/platform/secrets'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asOwner, newOrganization, openTestDatabase, silent } from './open-database.ts'

let database: Database
let queries: Queries
let folder: string

beforeEach(async () => {
  database = await openTestDatabase()
  queries = database.queries
  folder = mkdtempSync(join(tmpdir(), 'memory-master-key-'))
})

afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const newKey = () => randomBytes(32).toString('base64')
const open = (...masterKeys: string[]) => openSecrets(queries, { masterKeys, dataDir: folder })

/** Whom a sealed value is of, and what it says. */
interface Kept {
  purpose: 'totp-seed' | 'mail' | 'signing-key' | 'webhook-secret' | 'receipt-key'
  id: string
  text: string
}

/** Seals a value in each place that holds some. */
async function fill(secrets: Secrets): Promise<Kept[]> {
  const id = randomUUID()
  const kept = (['totp-seed', 'mail', 'signing-key', 'webhook-secret', 'receipt-key'] as const).map(
    (purpose) => ({
      purpose,
      id,
      text: `${purpose} of ${id}`,
    }),
  )
  const [seed, mail, key, webhook, receiptKey] = kept.map(({ text, ...place }) =>
    secrets.seal(new TextEncoder().encode(text), place),
  )
  await asTenant(queries, { userId: id }, async (trx) => {
    await sql`insert into app.users (id, email, password_hash) values (${id}, ${`${id}@example.com`}, 'x')`.execute(
      trx,
    )
    await sql`insert into app.mfa_factors (user_id, secret) values (${id}, ${seed})`.execute(trx)
    await sql`insert into app.mails (id, user_id, recipient, template, parameters)
      values (${id}, ${id}, 'x', 'x', ${mail})`.execute(trx)
  })
  await asTask(queries, 'keep-secrets', (trx) =>
    sql`insert into app.signing_keys (kid, public_key, private_key, signs_from)
      values (${id}, '{}', ${key}, now())`.execute(trx),
  )
  await asTask(queries, 'keep-secrets', (trx) =>
    sql`insert into app.receipt_keys (kid, public_key, private_key) values (${id}, '{}', ${receiptKey})`.execute(
      trx,
    ),
  )
  const { organizationId } = await newOrganization(queries)
  await asTenant(queries, { organizationId }, async (trx) => {
    await sql`insert into app.webhooks (organization_id, id, url)
      values (${organizationId}, ${id}, 'https://example.com')`.execute(trx)
    await sql`insert into app.webhook_secrets (organization_id, webhook_id, id, secret)
      values (${organizationId}, ${id}, ${id}, ${webhook})`.execute(trx)
  })
  return kept
}

/** What the database's sealed values say, as a process with these secrets reads them. */
async function read(secrets: Secrets): Promise<string[]> {
  const texts = await asTask(queries, 'keep-secrets', async (trx) => {
    const all: string[] = []
    for (const { table, column, id, purpose } of sealedColumns) {
      const { rows } = await sql<{ id: string; sealed: Buffer }>`
        select ${sql.id(id)}::text as id, ${sql.id(column)} as sealed from ${sql.id('app', table)}`.execute(
        trx,
      )
      for (const row of rows) {
        all.push(new TextDecoder().decode(secrets.open(row.sealed, { purpose, id: row.id })))
      }
    }
    return all
  })
  return texts.sort()
}

const textsOf = (kept: Kept[]) => kept.map(({ text }) => text).sort()
const versions = () => asTask(queries, 'keep-secrets', listVersions)
const proofs = async () => (await asTask(queries, 'keep-secrets', readProofs)).map(({ version }) => version)

describe('T5 the master key', () => {
  it('is made at the first start where none is set, kept for this user alone, and used again', async () => {
    const settings = { masterKeys: undefined, dataDir: join(folder, 'data') }
    const secrets = await openSecrets(queries, settings)
    const file = join(folder, 'data', 'master-key')
    expect(readFileSync(file, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
    expect((await openSecrets(queries, settings)).version).toBe(secrets.version)
    expect((await open(readFileSync(file, 'utf8').trim())).version).toBe(secrets.version)
  })

  it('is refused from a file that holds something else, and the file is left alone', async () => {
    const file = join(folder, 'master-key')
    writeFileSync(file, 'my password')
    const refused = openSecrets(queries, { masterKeys: undefined, dataDir: folder })
    await expect(refused).rejects.toThrow(ConfigError)
    await expect(refused).rejects.toThrow(file)
    await expect(refused).rejects.not.toThrow('my password')
    expect(readFileSync(file, 'utf8')).toBe('my password')
  })

  it('is missed where something is sealed already, and no other is made', async () => {
    await fill(await open(newKey()))
    const refused = () => openSecrets(queries, { masterKeys: undefined, dataDir: folder })
    await expect(refused()).rejects.toThrow(ConfigError)
    const file = join(folder, 'master-key')
    await expect(refused()).rejects.toThrow(
      new RegExp(`^There is no master key, .* into ${file}, or set MASTER_KEY to it\\.$`),
    )
    await asOwner(queries, (trx) => sql`delete from app.master_keys`.execute(trx))
    await expect(refused(), 'without a proof').rejects.toThrow(/^There is no master key/)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is refused in one sentence where it is a folder', async () => {
    const file = join(folder, 'master-key')
    mkdirSync(file)
    const refused = openSecrets(queries, { masterKeys: undefined, dataDir: folder })
    await expect(refused).rejects.toThrow(ConfigError)
    await expect(refused).rejects.toThrow(`The master key ${file} is a folder: `)
  })

  it('is refused when it is another one, without being shown, and nothing is changed', async () => {
    const [right, wrong] = [newKey(), newKey()]
    const secrets = await open(right)
    await fill(secrets)
    for (const keys of [[wrong], [wrong, newKey()]]) {
      const refused = open(...keys)
      await expect(refused).rejects.toThrow(ConfigError)
      await expect(refused).rejects.toThrow(/^The master key is not the one.*MASTER_KEY.*\.$/)
      await expect(refused).rejects.not.toThrow(wrong.slice(0, 10))
    }
    expect(await proofs()).toEqual([secrets.version])
    expect((await open(right)).version).toBe(secrets.version)
  })

  it('is refused when a value is sealed under another one, even where no proof of that is left', async () => {
    const [key, other] = [newKey(), newKey()]
    await fill(await open(key))
    await asOwner(queries, (trx) => sql`delete from app.master_keys`.execute(trx))
    await expect(open(other)).rejects.toThrow(ConfigError)
  })

  it('opens no sealed value in another row than its own', async () => {
    const secrets = await open(newKey())
    await fill(secrets)
    await fill(secrets)
    for (const { table, column, id, purpose } of sealedColumns) {
      const [first, second] = await asOwner(queries, async (trx) => {
        const { rows } = await sql<{ id: string; sealed: Buffer }>`
          select ${sql.id(id)}::text as id, ${sql.id(column)} as sealed from ${sql.id('app', table)}`.execute(
          trx,
        )
        return rows as [{ id: string; sealed: Buffer }, { id: string; sealed: Buffer }]
      })
      expect(secrets.open(first.sealed, { purpose, id: first.id }).length).toBeGreaterThan(0)
      expect(() => secrets.open(first.sealed, { purpose, id: second.id }), table).toThrow(SealError)
      expect(() => secrets.open(second.sealed, { purpose, id: first.id }), table).toThrow(SealError)
    }
  })
})

describe('T5 changing the master key', () => {
  it('seals everything anew while old and new processes work, then forgets the old key', async () => {
    const [first, second] = [newKey(), newKey()]
    const before = await open(first)
    const kept: Kept[] = []
    // A few at a time: on a busy machine 130 would wait for a connection for too long.
    for (let i = 0; i < 13; i++)
      kept.push(...(await Promise.all(Array.from({ length: 10 }, () => fill(before)))).flat())
    await expect(open(second), 'the new key alone').rejects.toThrow(ConfigError)

    // Every process learns the new key before one of them seals under it.
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) })
    const prepared = await open(first, second)
    await resealSecrets(queries, prepared, log)
    expect(await versions()).toEqual([before.version])
    // Nothing has begun that could be taken for done.
    expect(lines).toEqual([])

    const changing = await open(second, first)
    expect((await proofs()).sort()).toEqual([before.version, changing.version].sort())
    let done = false
    const resealing = resealSecrets(queries, changing, log).then(() => {
      done = true
    })
    // Who reads meanwhile, reads everything, by either order of the keys; the old order still seals, too.
    do {
      expect(await read(changing)).toEqual(textsOf(kept))
      expect(await read(prepared)).toEqual(textsOf(kept))
    } while (!done)
    await resealing
    expect(await versions()).toEqual([changing.version])
    expect(await proofs()).toEqual([changing.version])
    expect(lines).toEqual([expect.stringContaining('secrets are sealed under the new master key')])

    const after = await open(second)
    expect(await read(after)).toEqual(textsOf(kept))
    await expect(open(first), 'the old key').rejects.toThrow(ConfigError)
  })

  it('goes on with what a late process sealed under the old key, which is needed until then', async () => {
    const [first, second] = [newKey(), newKey()]
    const late = await open(first)
    const kept = await fill(late)
    const changing = await open(second, first)
    await resealSecrets(queries, changing, silent)
    kept.push(...(await fill(late)))
    await expect(open(second), 'the new key alone').rejects.toThrow(ConfigError)
    await resealSecrets(queries, await open(second, first), silent)
    expect(await read(await open(second))).toEqual(textsOf(kept))
  })

  it('keeps the old key while a request for a mail waits that was sealed under it', async () => {
    const [first, second] = [newKey(), newKey()]
    const before = await open(first)
    const request = async (secrets: Secrets) => {
      const id = randomUUID()
      const sealed = Buffer.from(secrets.seal(new TextEncoder().encode('{}'), { purpose: 'mail', id }))
      const payload = { kind: 'reset-password', id, sealed: sealed.toString('base64') } as const
      await asTask(queries, 'send-mail', (trx) => append(trx, null, 'account.mail_requested', payload))
    }
    await request(before)
    const changing = await open(second, first)
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) })
    await resealSecrets(queries, changing, log)
    expect(lines).toEqual([])
    await expect(open(second), 'the new key alone').rejects.toThrow(ConfigError)
    await asTask(queries, 'relay-outbox', (trx) => sql`delete from app.outbox`.execute(trx))
    await request(changing)
    await resealSecrets(queries, changing, log)
    expect(lines).toEqual([expect.stringContaining('secrets are sealed under the new master key')])
    expect((await open(second)).version).toBe(changing.version)
  })

  it('goes back to the old key once no process has had the new one first for a while', async () => {
    const [first, second] = [newKey(), newKey()]
    const kept = await fill(await open(first))
    const changing = await open(second, first)
    kept.push(...(await fill(changing)))
    const back = await open(first, second)
    const mixed = [back.version, changing.version].sort()
    // A process that has the new key first may still run, and says so whenever it looks for what to reseal.
    await resealSecrets(queries, back, silent)
    expect((await versions()).sort()).toEqual(mixed)
    const age = () =>
      asOwner(queries, (trx) =>
        sql`update app.master_keys set created_at = created_at - interval '1 hour'`.execute(trx),
      )
    await age()
    // As a worker does, which reseals nothing.
    await sayWhichIsFirst(queries, changing)
    await resealSecrets(queries, back, silent)
    expect((await versions()).sort()).toEqual(mixed)
    await age()
    await resealSecrets(queries, back, silent)
    expect(await versions()).toEqual([back.version])
    expect(await proofs()).toEqual([back.version])
    expect(await read(await open(first))).toEqual(textsOf(kept))
  })

  it('keeps the old key while there is a value that does not open, and says which', async () => {
    const [first, second] = [newKey(), newKey()]
    const before = await open(first)
    const [{ id }] = (await fill(before)) as [Kept]
    await asOwner(queries, (trx) =>
      sql`update app.mails set parameters = set_byte(parameters, 40, get_byte(parameters, 40) # 1)`.execute(
        trx,
      ),
    )
    const changing = await open(second, first)
    const lines: string[] = []
    await resealSecrets(queries, changing, createLog('info', { write: (line) => void lines.push(line) }))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'sealed value does not open', table: 'mails', id }),
    ])
    expect((await versions()).sort()).toEqual([before.version, changing.version].sort())
    expect(await proofs()).toHaveLength(2)
  })

  it('reaches every table that holds sealed values: those that its task may open', async () => {
    const { rows } = await asOwner(queries, (trx) =>
      sql<{ name: string }>`select distinct c.relname::text as name
        from pg_policy p join pg_class c on c.oid = p.polrelid
        where pg_get_expr(p.polqual, p.polrelid) like '%keep-secrets%' order by 1`.execute(trx),
    )
    const tables = sealedColumns.map(({ table }) => table)
    expect(rows.map(({ name }) => name)).toEqual([...tables, 'master_keys'].sort())
  })
})
