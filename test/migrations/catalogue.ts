import type { MigrationConnection } from '@memory/shared/platform/database/migration-connection'

const acl = (column: string, kind: string) => `(
  select string_agg(format('%s=%s', x.grantee::regrole, x.privilege_type), ' ' order by x.grantee::regrole::text, x.privilege_type)
    from aclexplode(coalesce(${column}, acldefault('${kind}', 10))) x where x.grantee <> 10)`

/** What the schema `app` is made of, a line each, without the owner and the order in which it came about. */
const parts = [
  `select format('table %s rls %s %s, %s, granted %s', c.relname, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
      ${acl('c.relacl', 'r')})
    from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'`,
  `select format('column %s.%s %s: %s %s default %s %s%s statistics %s storage %s', c.relname,
      row_number() over (partition by c.oid order by a.attnum), a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated,
      nullif(a.attstattarget, -1), a.attstorage)
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  `select format('constraint %s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'app'::regnamespace and contype <> 'n'`,
  `select format('index %s', pg_get_indexdef(c.oid))
    from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'i'`,
  `select format('policy %s on %s %s %s to %s using %s check %s', policyname, tablename, permissive, cmd, roles, qual, with_check)
    from pg_policies where schemaname = 'app'`,
  `select format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'app'::regnamespace and not t.tgisinternal`,
  `select format('function %s granted %s', pg_get_functiondef(p.oid), ${acl('p.proacl', 'f')})
    from pg_proc p where p.pronamespace = 'app'::regnamespace`,
]

export async function catalogueOf({ query }: Pick<MigrationConnection, 'query'>): Promise<string[]> {
  const rows = await query<{ line: string }>(parts.map((part) => `(${part})`).join(' union all '))
  return rows.map((row) => Object.values(row)[0] as string).sort()
}
