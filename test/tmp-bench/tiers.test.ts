import { migrateTiers } from '@memory/shared/memory/migrate-tiers'
import { recordAccesses, listInTier, findTiered, getDistribution } from '@memory/shared/memory/tier-store'
import * as store from '@memory/shared/memory/store'
import { sql } from 'kysely'
import { it } from 'vitest'
import { openTestDatabase } from '../platform/open-database.ts'
import { newSpace, setTiers, day } from '../memory/tiers/space.ts'
import { randomFrom, randomVector } from '../engine/naive.ts'

it('bench', async () => {
  const { queries, close, kind } = await openTestDatabase()
  const random = randomFrom(1)
  const n = 20_000
  const spaceId = await newSpace(queries, [{}])
  for (let i = 0; i < n / 2000; i++) {
    const { newPatternId } = await import('@memory/shared/memory/pattern-id')
    await store.insertPatterns(queries, spaceId, -1, 't', Array.from({ length: 2000 }, () => ({ id: newPatternId(new Date()), text: 'a text of some forty characters, like this', metadata: { user: 'ada' }, key: randomVector(random, 384, false), value: null, sourceDim: null, textHash: '00', category: null, protected: false, expiresAt: null, occurredAt: null })))
  }
  const old = async (counts: Map<number, number>) => sql`select app.old_record(${spaceId}, ${[...counts.keys()]}::int[], ${[...counts.values()]}::int[], ${new Date().toISOString()}::timestamptz)`.execute(queries)
  await queries.transaction().execute(async (trx) => {
    await sql`set local role none`.execute(trx)
    await sql.raw(`create function app.old_record(p_space uuid, p_idx integer[], p_counts integer[], p_at timestamptz)
returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  insert into app.pattern_accesses as x (space_id, idx, access_count, last_accessed, access_score, scored_at)
    select p_space, a.idx, a.n, p_at,
           2 ^ (-greatest(0, extract(epoch from p_at - p.created_at)) / (7 * 86400)) + a.n, p_at
      from unnest(p_idx, p_counts) as a (idx, n)
      join app.patterns p on p.space_id = p_space and p.idx = a.idx
      order by a.idx
    on conflict (space_id, idx) do update set
      access_count = x.access_count + excluded.access_count,
      last_accessed = greatest(x.last_accessed, excluded.last_accessed),
      access_score = x.access_score
        * 2 ^ (-greatest(0, extract(epoch from excluded.scored_at - x.scored_at)) / (7 * 86400))
        + excluded.access_count,
      scored_at = greatest(x.scored_at, excluded.scored_at);
end
$$;`).execute(trx)
  })
  const time = async (name: string, runs: number, work: () => Promise<unknown>) => {
    const all: number[] = []
    for (let i = 0; i < runs; i++) { const t = performance.now(); await work(); all.push(performance.now() - t) }
    all.sort((a, b) => a - b)
    console.log(kind, name, 'min', all[0]!.toFixed(2), 'median', all[runs >> 1]!.toFixed(2))
  }


  for (let i = 0; i < 60; i++) await recordAccesses(queries, spaceId, new Map(Array.from({ length: 200 }, () => [Math.floor(random() * n), 1])), new Date())
  await migrateTiers({ queries }, spaceId, new Date(Date.now() + 20 * day))
  const { asTenant } = await import('@memory/shared/platform/database/database')
  const explain = async (text: string) => asTenant(queries, { spaceId }, async (trx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(trx)
    await sql.raw(text).execute(trx)
  })
  const show = async (name: string, params: string, body: string, args: string) => asTenant(queries, { spaceId }, async (trx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(trx)
    await sql.raw(`prepare ${name} (${params}) as ${body}`).execute(trx)
    const { rows } = await sql.raw<Record<string, string>>(`explain (analyze, buffers) execute ${name} (${args})`).execute(trx)
    console.log(kind, name + '\n' + rows.map((r) => Object.values(r)[0]).join('\n'))
  })
  await show('states', 'uuid, int, int', `select p.idx, p.tier, p.protected, coalesce(x.access_score, 1), coalesce(x.scored_at, p.created_at)
      from app.patterns p
      left join app.pattern_accesses x on x.space_id = p.space_id and x.idx = p.idx
      where p.space_id = $1 and p.idx > $2 and (p.tier <> 'cold' or p.protected)
      order by p.idx limit $3`, `'${spaceId}', 5000, 1000`)
  await show('states2', 'uuid, int, int', `select p.idx, p.tier, p.protected, coalesce(x.access_score, 1), coalesce(x.scored_at, p.created_at)
      from (select * from app.patterns p
      where p.space_id = $1 and p.idx > $2 and (p.tier <> 'cold' or p.protected)
      order by p.idx limit $3) p
      left join app.pattern_accesses x on x.space_id = $1 and x.idx = p.idx
      order by p.idx`, `'${spaceId}', 5000, 1000`)

  const both = async (n: number) => {
  await show('held'+n, 'uuid', `select count(*) filter (where p.tier = 'warm') as warm, count(*) filter (where p.tier = 'cold') from app.patterns p
        where p.space_id = $1 and p.tier <> 'hot' and (p.expires_at is null or p.expires_at > now())`, `'${spaceId}'`)
  await show('warm'+n, 'uuid', `select count(*) from app.patterns p
        where p.space_id = $1 and p.tier = 'warm' and (p.expires_at is null or p.expires_at > now())`, `'${spaceId}'`)
  }
  await both(1)
  await queries.transaction().execute(async (trx) => { await sql`set local role none`.execute(trx); await sql`analyze app.patterns`.execute(trx); await sql`analyze app.pattern_accesses`.execute(trx) })
  await both(2)
  await sql`select 1`.execute(queries)
  await close()
}, 300_000)
