import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { plans } from '@memory/shared/catalogue/plans'
import type { MigrationConnection } from '@memory/shared/platform/database/migration-connection'
import {
  listMigrations,
  type Migration,
  MigrationError,
  migrate,
  pendingMigrations,
} from '@memory/shared/platform/database/migrations'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { onPostgres } from './support/database.ts'
import { type Owner, openBare } from './support/owner.ts'

/** Tables of no tenant, which can only be read. */
const shared = ['migrations', 'plans', 'encoder']
/** Tables of the service itself: opened by a task, and by nothing that a tenant has. */
const own = ['attempts', 'billing_events', 'master_keys', 'receipt_keys', 'signing_keys']
const ofTenants = /current_organization\(\)|current_space\(\)|current_user_id\(\)/

let owner: Owner

beforeAll(async () => {
  owner = await openBare()
})

afterAll(() => owner.close())

const names = () => listMigrations().map(({ name }) => name)
const isFunctions = ({ name }: Migration) => name.startsWith('functions/')
const functions = () => listMigrations().filter(isFunctions)
const numbered = () => listMigrations().filter((migration) => !isFunctions(migration))

async function one<Row>(statement: string, parameters?: unknown[]): Promise<Row> {
  const [row] = await owner.query<Row>(statement, parameters)
  return row as Row
}

async function column(statement: string): Promise<unknown[]> {
  return (await owner.query<{ value: unknown }>(statement)).map(({ value }) => value)
}

describe('the migrated schema', () => {
  beforeAll(async () => {
    await owner.exec('drop schema if exists app cascade')
    await migrate(owner)
  })

  const tablesBut = (names: string[]) => `select c.oid, c.relname::text as name from pg_class c
    where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p')
      and c.relname not in (${names.map((name) => `'${name}'`).join(', ')})`
  const tenantTables = tablesBut([...shared, ...own])

  const policies = `select c.relname::text as table, p.polname::text as policy, p.polcmd::text as command,
      pg_get_expr(p.polqual, p.polrelid) as reads, pg_get_expr(p.polwithcheck, p.polrelid) as writes
    from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace = 'app'::regnamespace and p.polpermissive`

  interface Policy {
    table: string
    policy: string
    /** `*` for all, `r`, `a`, `w`, `d` for select, insert, update, delete. */
    command: string
    reads: string | null
    writes: string | null
  }

  it('I1 every table but those that can only be read enables and forces row level security', async () => {
    const tables = await owner.query<{ name: string }>(
      `select t.name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced
        from (${tablesBut(shared)}) t join pg_class c using (oid) order by 1`,
    )
    expect(tables.length).toBeGreaterThanOrEqual(27)
    expect(tables).toEqual(tables.map(({ name }) => ({ name, enabled: true, forced: true })))
  })

  it('I1 every tenant table has a tenant policy that checks what is read and what is written', async () => {
    const names = await column(`select name as value from (${tenantTables}) t order by 1`)
    const tenant = (await owner.query<Policy>(`${policies} and p.polname = 'tenant' order by 1`)).filter(
      ({ command, reads, writes }) =>
        (command === '*' && ofTenants.test(reads ?? '') && ofTenants.test(writes ?? '')) ||
        (command === 'a' && ofTenants.test(writes ?? '')),
    )
    expect(tenant.map(({ table }) => table)).toEqual(names)
    // Events are read by the relay alone.
    expect(tenant.filter(({ command }) => command === 'a').map(({ table }) => table)).toEqual(['outbox'])
  })

  it('I1 the tables of the service itself are opened by tasks and presented values, and by no tenant', async () => {
    const opened = (await owner.query<Policy>(policies)).filter(({ table }) => own.includes(table))
    const written = opened.filter(({ command }) => command !== 'r')
    expect(written.map(({ table }) => table).sort()).toEqual(own)
    for (const { policy, reads, writes } of written) {
      expect([policy, reads, writes]).toEqual([
        'task',
        expect.stringMatching(/^\(app\.current_task\(\) = '/),
        reads,
      ])
    }
    expect(opened.filter(({ reads }) => ofTenants.test(String(reads)))).toEqual([])
  })

  it('I1 every policy names a tenant, a task or a presented value', async () => {
    const named = /current_task\(\) = (ANY \(ARRAY\[)?'|presented_token\(\)|'app\.(key_hash|email|kid)'/
    const all = await owner.query<Policy>(policies)
    const open = all.filter(({ reads, writes }) =>
      [reads, writes].some((each) => each !== null && !ofTenants.test(each) && !named.test(each)),
    )
    expect(open).toEqual([])
  })

  it('I1 what a presented value opens can be read, and is not the tenant’s to change', async () => {
    const presented = (await owner.query<Policy>(policies)).filter(({ reads }) =>
      /presented_token|'app\.(key_hash|email|kid)'/.test(reads ?? ''),
    )
    expect(presented.length).toBeGreaterThanOrEqual(7)
    expect(presented.filter(({ command }) => command !== 'r')).toEqual([])
  })

  it('I1 every tenant table says whose its rows are; tables of no tenant can only be read', async () => {
    const without = await column(`select t.name as value from (${tenantTables}) t
      where t.name not in ('organizations', 'users') and not exists (
        select from pg_attribute a where a.attrelid = t.oid
          and a.attname in ('space_id', 'organization_id', 'user_id') and a.attnotnull) order by 1`)
    // A row of these is an organization's, a user's or both. Events without either are read by the relay as well.
    expect(without).toEqual(['audit_log', 'mails', 'outbox'])
    const eitherOr = await column(`select c.conrelid::regclass::text as value from pg_constraint c
      where c.contype = 'c' and pg_get_constraintdef(c.oid) ~ 'organization_id IS NOT NULL'
        and pg_get_constraintdef(c.oid) ~ 'OR .*user_id IS NOT NULL|user_id IS NOT NULL.* OR ' order by 1`)
    expect(eitherOr).toEqual(['app.audit_log', 'app.mails'])
    const writable = await column(`select format('%s %s', privilege_type, table_name) as value
      from information_schema.role_table_grants where table_schema = 'app' and grantee = 'memory_app'
        and privilege_type <> 'SELECT' and table_name in (${shared.map((name) => `'${name}'`).join(', ')})`)
    expect(writable).toEqual([])
  })

  it('D2 what is erased whole is given away only when it is due, whoever deletes it', async () => {
    const restrictive = await owner.query(`
      select tablename::text as table, cmd::text as command, qual::text as condition from pg_policies
        where schemaname = 'app' and permissive = 'RESTRICTIVE'
          and policyname not like 'subject%' order by 1`)
    const condition = expect.stringContaining('app.is_erasable(')
    expect(restrictive).toEqual(
      ['organizations', 'spaces', 'users'].map((table) => ({ table, command: 'DELETE', condition })),
    )
  })

  it('I1 no function but those that take from the audit log, note the encoder or tell when transactions began runs with its owner’s rights, and every view with its caller’s', async () => {
    const definers = `select proname::text as value from pg_proc
      where pronamespace = 'app'::regnamespace and prosecdef order by 1`
    const allowed = [
      'note_encoder',
      'oldest_begin',
      'pseudonymise_audit',
      'pseudonymise_organization_audit',
      'purge_audit_log',
    ]
    expect(await column(definers)).toEqual(allowed)
    for (const name of allowed) {
      // Nothing that a caller could put in front is found by its statements.
      const settings = `select unnest(proconfig) as value from pg_proc where proname = '${name}'`
      expect(await column(settings)).toContain('search_path=pg_catalog, pg_temp')
      const granted = `select g.grantee::text as value from information_schema.role_routine_grants g
        where g.routine_name = '${name}' and g.grantee in ('memory_app', 'PUBLIC')`
      expect(await column(granted)).toEqual(['memory_app'])
    }
    expect(
      await column(`select relname::text as value from pg_class where relnamespace = 'app'::regnamespace
      and relkind in ('v', 'm') and not coalesce(reloptions::text like '%security_invoker=true%', false)`),
    ).toEqual([])
  })

  it('can be made by an owner who is no superuser: no function carries a setting of ours', async () => {
    const settings = `select unnest(proconfig) as value from pg_proc where pronamespace = 'app'::regnamespace`
    expect((await column(settings)).filter((setting) => String(setting).startsWith('app.'))).toEqual([])
  })

  it('the application role can add audit entries and read them, nothing else', async () => {
    const granted = await column(`select privilege_type::text as value
      from information_schema.role_table_grants where table_schema = 'app' and grantee = 'memory_app'
        and table_name = 'audit_log' order by 1`)
    expect(granted).toEqual(['INSERT', 'SELECT'])
  })

  it('I2 the application role owns nothing, has no special rights and can not create in the schema', async () => {
    const role =
      await one(`select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication
      from pg_roles where rolname = 'memory_app'`)
    expect(Object.values(role as object)).toEqual(Array(6).fill(false))
    const owned = `select relname::text as value from pg_class where relowner = 'memory_app'::regrole
      union all select proname::text from pg_proc where proowner = 'memory_app'::regrole
      union all select nspname::text from pg_namespace where nspowner = 'memory_app'::regrole`
    expect(await column(owned)).toEqual([])
    expect(await column(`select has_schema_privilege('memory_app', 'app', 'create') as value`)).toEqual([
      false,
    ])
    const truncatable =
      await column(`select table_name::text as value from information_schema.role_table_grants
      where table_schema = 'app' and grantee in ('memory_app', 'PUBLIC')
        and privilege_type in ('TRUNCATE', 'REFERENCES', 'TRIGGER')`)
    expect(truncatable).toEqual([])
  })

  it('I4 every unique key of a tenant table has the tenant in it, or a value that nobody can guess', async () => {
    const alone = [
      // What identifies a tenant, random ids, and numbers that the database gives.
      ...['organizations (id)', 'spaces (id)', 'users (id)', 'mails (id)', 'audit_log (id)', 'outbox (id)'],
      'receipts (id)',
      // Hashes of 256 random bits.
      'api_keys (key_hash)',
      ...['email_tokens', 'invitations', 'mfa_challenges', 'refresh_tokens'].map((t) => `${t} (token_hash)`),
      'sessions (code_hash)',
      // Everybody signs in with an address of their own: registration says that one is taken, and is limited.
      'users (email)',
    ]
    const keys =
      await column(`select format('%s (%s)', t.name, string_agg(a.attname, ', ' order by k.n)) as value
      from (${tenantTables}) t
      join pg_index i on i.indrelid = t.oid and i.indisunique
      cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, n)
      join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
      group by t.name, i.indexrelid`)
    expect(keys).toEqual(expect.arrayContaining(alone))
    expect(keys.filter((key) => !/\b(space_id|organization_id|user_id)\b/.test(String(key))).sort()).toEqual(
      alone.sort(),
    )
  })

  it('I4 every reference between tenant tables has the tenant in it', async () => {
    const references = await column(`select format('%s (%s) to %s', c.conrelid::regclass,
        (select string_agg(a.attname, ', ') from unnest(c.conkey) k
           join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k), c.confrelid::regclass) as value
      from pg_constraint c join (${tenantTables}) t on t.oid = c.confrelid where c.contype = 'f'`)
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter((each) => !/\b(space_id|organization_id|user_id)\b/.test(String(each)))).toEqual(
      [],
    )
  })

  it('holds the plans of the catalogue', async () => {
    const rows = await owner.query<Record<string, unknown>>('select * from app.plans')
    const listed = rows.map(({ name, patterns, queries_per_day, api_keys, members }) => [
      name,
      [patterns, queries_per_day, api_keys, members].map(Number),
    ])
    const expected = Object.entries(plans).map(([name, plan]) => [
      name,
      [plan.patterns, plan.queriesPerDay, plan.apiKeys, plan.members],
    ])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected))
  })

  it('has the tables and columns that the table types name, nullable where they say null', async () => {
    const rows = await owner.query<{ table_name: string; column_name: string; is_nullable: string }>(
      `select table_name, column_name, is_nullable from information_schema.columns
        where table_schema = 'app' and table_name <> 'migrations'`,
    )
    const migrated: Columns = {}
    for (const { table_name, column_name, is_nullable } of rows) {
      migrated[table_name] = { ...migrated[table_name], [column_name]: is_nullable === 'YES' }
    }
    expect(readTableTypes()).toEqual(migrated)
  })
})

type Columns = Record<string, Record<string, boolean>>

/** The tables of `tables.ts`, their columns and whether each may be null. */
function readTableTypes(): Columns {
  const file = new URL('../packages/shared/src/platform/database/tables.ts', import.meta.url)
  const [, body] = /export interface Tables \{\n([\s\S]*?)\n\}/.exec(readFileSync(file, 'utf8')) ?? []
  const tables = [...(body as string).matchAll(/^ {2}(\w+): \{([^{}]*)\}/gm)]
  return Object.fromEntries(
    tables.map(([, table, columns]) => {
      const fields = [...(columns as string).matchAll(/(\w+): ([^;\n]+)/g)]
      return [
        table,
        Object.fromEntries(
          fields.map(([, name, type]) => [name, /\| null(>|$)|NullableTime/.test((type as string).trim())]),
        ),
      ]
    }),
  )
}

describe('migrate', () => {
  beforeEach(() => owner.exec('drop schema if exists app cascade'))

  it('applies the migrations in order, each once, and says which', async () => {
    expect(await pendingMigrations(owner)).toEqual(names())
    expect(await migrate(owner)).toEqual(names())
    expect(await pendingMigrations(owner)).toEqual([])
    expect(await migrate(owner)).toEqual([])
    const applied = await owner.query('select name, checksum from app.migrations order by applied_at, name')
    expect(applied).toEqual(listMigrations().map(({ name, checksum }) => ({ name, checksum })))
  })

  it('refuses a database to which another version of a migration was applied, and changes nothing', async () => {
    await migrate(owner)
    const [first] = names()
    await owner.query("update app.migrations set checksum = 'edited' where name = $1", [first])
    await owner.query("delete from app.plans where name = 'pro'")
    await expect(migrate(owner)).rejects.toThrow(MigrationError)
    await expect(migrate(owner)).rejects.toThrow(
      new RegExp(`^Migration ${first} was applied with other contents than this release has: .+\\.$`),
    )
    expect(await column("select name as value from app.plans where name = 'pro'")).toEqual([])
    expect(await pendingMigrations(owner)).toEqual([first])
  })

  it('notes a migration whose text alone was amended as it was noted before', async () => {
    const [first] = numbered() as [Migration]
    const before = '45e1c553da787f1ad2fbe15ddd63c89524575e3d3a66eeea77e2c34d1386a164'
    expect(first).toMatchObject({ name: '0101-roles-and-helpers.sql', checksum: before })
    expect(createHash('sha256').update(first.statements).digest('hex')).not.toBe(before)
  })

  it('F11 leaves nothing of a migration that fails, keeps those before it, and completes when run again', async () => {
    const last = numbered().at(-1) as Migration
    const rest = names().filter((name) => name >= last.name)
    const failing: MigrationConnection = {
      ...owner,
      exec: (statements) =>
        owner.exec(statements === last.statements ? `${statements}\nselect 1 / 0;` : statements),
    }
    const catalogue = `select count(*)::int as objects from (
      select oid from pg_class where relnamespace = 'app'::regnamespace
      union all select attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'app'::regnamespace
      union all select oid from pg_proc where pronamespace = 'app'::regnamespace
      union all select attrelid from pg_attribute where attrelid::regclass::text like 'app.%'
      union all select oid from pg_policy) o`
    await expect(migrate(failing)).rejects.toThrow(`Migration ${last.name} failed: division by zero`)
    const before = await one(catalogue)
    expect(await pendingMigrations(owner)).toEqual(rest)
    await expect(migrate(failing)).rejects.toThrow(MigrationError)
    expect(await one(catalogue)).toEqual(before)
    // The lock was given back.
    expect(await column("select count(*)::int as value from pg_locks where locktype = 'advisory'")).toEqual([
      0,
    ])
    expect(await migrate(owner)).toEqual(rest)
    expect(await pendingMigrations(owner)).toEqual([])
  })

  it('F11 gives way to whoever holds a table that it needs, and tries again, for as long as is waited', async () => {
    const last = numbered().at(-1) as Migration
    let left = 2
    const held: MigrationConnection = {
      ...owner,
      exec: (statements) => {
        if (statements !== last.statements || left-- <= 0) return owner.exec(statements)
        const code = left === 0 ? '40P01' : '55P03'
        return owner.exec(
          `${statements}\ndo $$ begin raise exception 'held' using errcode = '${code}'; end $$;`,
        )
      },
    }
    await expect(migrate(held, 0)).rejects.toThrow(
      `Migration ${last.name} failed: held: something else, such as a backup or an open transaction, holds what it changes`,
    )
    left = 2
    expect(await migrate(held)).toEqual(names().filter((name) => name >= last.name))
    expect([left, await pendingMigrations(owner)]).toEqual([-1, []])
  })

  describe('of functions', () => {
    const accesses = "select prosrc as value from pg_proc where proname = 'space_version'"

    it('replaces those of a file whose text has changed, and no others', async () => {
      await migrate(owner)
      const [before] = await column(accesses)
      await owner.exec(`
        create or replace function app.space_version(p_space uuid) returns bigint language sql as 'select 1::bigint';
        update app.migrations set checksum = 'of another text' where name = 'functions/patterns.sql'`)
      expect(await pendingMigrations(owner)).toEqual(['functions/patterns.sql'])
      expect(await migrate(owner)).toEqual(['functions/patterns.sql'])
      expect(await column(accesses)).toEqual([before])
      expect(await migrate(owner)).toEqual([])
    })

    it('replaces all that have changed, or none', async () => {
      await migrate(owner)
      await owner.exec("update app.migrations set checksum = 'of another text' where name like 'functions/%'")
      const last = functions().at(-1) as Migration
      const failing: MigrationConnection = {
        ...owner,
        exec: (statements) => owner.exec(statements === last.statements ? 'select 1 / 0' : statements),
      }
      await expect(migrate(failing)).rejects.toThrow(`Migration ${last.name} failed: division by zero`)
      const changed = functions().map(({ name }) => name)
      expect(await pendingMigrations(owner)).toEqual(changed)
      expect(await migrate(owner)).toEqual(changed)
    })

    it('leaves those of a later release, which has later migrations', async () => {
      await migrate(owner)
      await owner.exec(`
        update app.migrations set checksum = 'of a later text' where name like 'functions/%';
        insert into app.migrations (name, checksum) values ('9999-of-a-later-release.sql', 'later')`)
      expect(await pendingMigrations(owner)).toEqual([])
      expect(await migrate(owner)).toEqual([])
    })
  })

  /** Applies the migrations before a numbered one, which is left for the next `migrate`. */
  async function migrateUntil(number: string): Promise<void> {
    const next = numbered().find(({ name }) => name.startsWith(number)) as Migration
    const held: MigrationConnection = {
      ...owner,
      exec: (statements) => owner.exec(statements === next.statements ? 'select 1 / 0' : statements),
    }
    await expect(migrate(held)).rejects.toThrow('division by zero')
  }

  it('of 0139 takes what was said of protection from what it came to, and ends nothing before it began', async () => {
    await migrateUntil('0139')
    await owner.exec(`
      set session_replication_role = replica;
      insert into app.patterns (
        space_id, idx, id, key, key_hash, version, created_at, metadata, category, protected, occurred_at, valid_from,
        valid_to, superseded_by
      )
      select gen_random_uuid(), 0, r.id, '[1]', '', 1, '2020-01-01', r.metadata::jsonb, r.category, r.protected,
          r.occurred_at::timestamptz, r.valid_from::timestamptz, r.valid_to::timestamptz, r.by
        from (values
          ('said', null, null, true, '2020-01-01', null, null, null),
          ('unsaid', '{"protected": "true"}', 'finance', false, '2020-01-01', null, null, null),
          ('stated', '{"protected": true}', null, true, '2020-01-01', null, null, null),
          ('sensitive', null, 'health', true, '2020-01-01', null, null, null),
          ('unprotected', '[]', 'health', false, '2020-01-01', null, null, null),
          ('valid later', null, null, false, '2020-01-01', '2019-05-01', '2019-04-01', 'next'),
          ('occurred later', null, null, false, '2019-05-01', null, '2019-04-01', 'next'),
          ('of an untold begin', null, null, false, '2020-01-01', null, '2019-04-01', 'next'),
          ('in order', null, null, false, '2019-05-01', null, '2019-06-01', 'next')
        ) as r (id, metadata, category, protected, occurred_at, valid_from, valid_to, by);
      set session_replication_role = origin;`)
    await migrate(owner)
    const rows = await owner.query<{ id: string; asked: boolean | null; ends: string | null }>(`
      select id, asked_protected as asked, to_char(valid_to at time zone 'utc', 'YYYY-MM-DD') as ends
        from app.patterns`)
    const [asked, ends] = [({ asked }: (typeof rows)[0]) => asked, ({ ends }: (typeof rows)[0]) => ends].map(
      (read) =>
        Object.fromEntries(rows.filter((row) => read(row) !== null).map((row) => [row.id, read(row)])),
    )
    expect(asked).toEqual({ said: true, unprotected: false })
    expect(ends).toEqual({
      'valid later': '2019-05-01',
      'occurred later': '2019-05-01',
      'of an untold begin': '2019-04-01',
      'in order': '2019-06-01',
    })
  })

  it('of 0144 drops what the means of queries were made of, and nothing else that was learned', async () => {
    await migrateUntil('0144')
    await owner.exec(`
      set session_replication_role = replica;
      insert into app.space_states (space_id, state)
        values (gen_random_uuid(), '{"asked": {"mean": [0.6, 0.8], "count": 1}, "lastTop": 7}');
      set session_replication_role = origin;`)
    await migrate(owner)
    expect(await owner.query('select state from app.space_states')).toEqual([
      { state: { asked: { mean: [], count: 0 }, lastTop: 7 } },
    ])
  })

  it('brings a changed plan up to date', async () => {
    await migrate(owner)
    await owner.exec("update app.plans set patterns = 1 where name = 'free'")
    await migrate(owner)
    const { patterns } = await one<{ patterns: unknown }>(
      "select patterns from app.plans where name = 'free'",
    )
    expect(Number(patterns)).toBe(plans.free.patterns)
  })

  it.runIf(onPostgres)('F11 of three that start at once, one migrates and all succeed', async () => {
    const others = (await Promise.all([owner.another(), owner.another()])) as [Owner, Owner]
    const applied = await Promise.all([owner, ...others].map((connection) => migrate(connection)))
    await Promise.all(others.map((other) => other.close()))
    expect(applied.sort((a, b) => b.length - a.length)).toEqual([names(), [], []])
    expect(await pendingMigrations(owner)).toEqual([])
  })

  it.runIf(onPostgres)('F11 one whose migrating process dies midway is completed by the next', async () => {
    const dying = (await owner.another()) as Owner
    const [, second] = listMigrations()
    const { pid } = (await dying.query<{ pid: number }>('select pg_backend_pid() as pid'))[0] as {
      pid: number
    }
    const killed: MigrationConnection = {
      ...dying,
      exec: async (statements) => {
        await dying.exec(statements)
        if (statements === second?.statements) await owner.query('select pg_terminate_backend($1)', [pid])
      },
    }
    await expect(migrate(killed)).rejects.toThrow()
    expect(await migrate(owner)).toEqual(names().slice(1))
  })
})
