-- Subjects, the end users of a tenant: keys that are bound to one, and what a transaction that names one sees.

alter table app.api_keys
  -- Whose patterns alone the key opens; null for every pattern of the space.
  add column subject text check (char_length(subject) between 1 and 128),
  -- Whether it also reads what is of no subject.
  add column subject_shared boolean not null default false;

-- The subject of the running transaction; null for one that is not restricted to any.
create function app.bound_subject() returns text language sql stable parallel safe
  return nullif(current_setting('app.subject', true), '');
-- Whether the running transaction also reads what is of no subject. It never changes it.
create function app.reads_shared() returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.subject_shared', true), '') = 'on';

-- What a transaction of a subject stores is of that subject.
alter table app.patterns alter column subject set default app.bound_subject();

-- Restrictive, so that they narrow what the tenant's policies show. Settings are read once a statement, not once a row.
create policy subject_reads on app.patterns as restrictive for select using (
  (select app.bound_subject()) is null or subject = (select app.bound_subject())
  or (subject is null and (select app.reads_shared()))
);
create policy subject_inserts on app.patterns as restrictive for insert
  with check ((select app.bound_subject()) is null or subject = (select app.bound_subject()));
create policy subject_updates on app.patterns as restrictive for update
  using ((select app.bound_subject()) is null or subject = (select app.bound_subject()))
  with check ((select app.bound_subject()) is null or subject = (select app.bound_subject()));
create policy subject_deletes on app.patterns as restrictive for delete
  using ((select app.bound_subject()) is null or subject = (select app.bound_subject()));

-- What hangs on patterns is seen and changed with those that it hangs on.
do $$
declare
  hanging record;
  unbound constant text := '(select app.bound_subject()) is null';
  visible text;
  own text;
begin
  for hanging in
    select * from (values
      ('passages', array['idx']), ('pattern_versions', array['idx']), ('pattern_accesses', array['idx']),
      ('associations', array['a', 'b']), ('transitions', array['source', 'target']),
      ('pair_trials', array['a', 'b']), ('compositions', array['a', 'b'])
    ) as t (name, ends)
  loop
    select string_agg(format(
        'exists (select from app.patterns p where p.space_id = %1$I.space_id and p.idx = %1$I.%2$I)', hanging.name, e
      ), ' and '),
      string_agg(format(
        'exists (select from app.patterns p where p.space_id = %1$I.space_id and p.idx = %1$I.%2$I and p.subject = app.bound_subject())',
        hanging.name, e
      ), ' and ')
      into visible, own from unnest(hanging.ends) as e;
    execute format('create policy subject_reads on app.%I as restrictive for select using (%s or (%s))', hanging.name, unbound, visible);
    execute format('create policy subject_inserts on app.%I as restrictive for insert with check (%s or (%s))', hanging.name, unbound, own);
    execute format('create policy subject_updates on app.%I as restrictive for update using (%s or (%s))', hanging.name, unbound, own);
    execute format('create policy subject_deletes on app.%I as restrictive for delete using (%s or (%s))', hanging.name, unbound, own);
  end loop;
end
$$;

-- A revision may be of another subject than the pattern that it was one of.
create policy subject_own on app.pattern_versions as restrictive for select using (
  (select app.bound_subject()) is null or subject = (select app.bound_subject())
  or (subject is null and (select app.reads_shared()))
);

-- What is of the space or the organization as a whole is nothing to a subject.
do $$
declare
  name text;
begin
  foreach name in array array[
    'actor_traces', 'space_states', 'signal_history', 'consolidations', 'space_schedules', 'tier_counters',
    'query_counts', 'uncounted_accesses', 'usage_calls', 'usage_latencies', 'usage_snapshots', 'webhooks',
    'webhook_secrets', 'webhook_deliveries', 'notifications', 'exports', 'export_parts', 'invitations', 'mails', 'sessions',
    'refresh_tokens', 'email_tokens', 'mfa_factors', 'mfa_recovery_codes', 'mfa_challenges'
  ] loop
    execute format('create policy subject on app.%I as restrictive using ((select app.bound_subject()) is null)', name);
  end loop;
end
$$;
-- It leaves these, and sees none.
create policy subject on app.pattern_tombstones as restrictive for select using ((select app.bound_subject()) is null);
create policy subject on app.receipts as restrictive for select using ((select app.bound_subject()) is null);
-- A key in the log is told by who made it; the keys themselves are nothing to a subject.
create policy subject_updates on app.api_keys as restrictive for update using ((select app.bound_subject()) is null);
create policy subject_deletes on app.api_keys as restrictive for delete using ((select app.bound_subject()) is null);
create policy subject_inserts on app.api_keys as restrictive for insert with check ((select app.bound_subject()) is null);
-- The route of a subject's request ends in a slash and the subject.
create policy subject on app.idempotency_keys as restrictive using (
  (select app.bound_subject()) is null
  or (strpos(route, '/') > 0 and substr(route, strpos(route, '/') + 1) = (select app.bound_subject()))
);
