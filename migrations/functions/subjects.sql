-- Subjects, the end users of a tenant: what is stored of each.

-- Lifts the transaction's restriction to a subject, for a change that also concerns rows which the subject does not see.
-- @returns the subject, for `return_to_subject`; empty where the transaction is of none.
create or replace function app.leave_subject() returns text language plpgsql as $$
declare
  subject text := coalesce(current_setting('app.subject', true), '');
begin
  if subject <> '' then
    perform set_config('app.subject', '', true);
  end if;
  return subject;
end
$$;

-- Restores the restriction that `leave_subject` has lifted. @param p_subject what it returned
create or replace function app.return_to_subject(p_subject text) returns void language plpgsql as $$
begin
  if p_subject <> '' then
    perform set_config('app.subject', p_subject, true);
  end if;
end
$$;

-- How many unexpired patterns a subject has.
create or replace function app.patterns_of_subject(p_space uuid, p_subject text) returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return (
    select count(*) from app.patterns p
      where p.space_id = p_space and p.subject = p_subject and (p.expires_at is null or p.expires_at > now())
  );
end
$$;

-- Subjects of whom something is stored, in the order of their names. It is the order of the index, so that no rows of
-- subjects after the page are read.
create or replace function app.list_subjects(p_space uuid, p_after text, p_prefix text, p_count integer)
returns table (subject text, patterns integer, bytes bigint, first_stored timestamptz, last_stored timestamptz)
language plpgsql set plan_cache_mode = force_custom_plan
set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.subject, count(*)::integer, sum(p.bytes)::bigint, min(p.created_at), max(p.created_at)
      from app.patterns p
      where p.space_id = p_space and p.subject is not null and (p_after is null or p.subject > p_after)
        and (p_prefix is null or starts_with(p.subject, p_prefix))
        and (p.expires_at is null or p.expires_at > now())
      group by p.subject order by p.subject limit p_count;
end
$$;

-- What is stored of one subject; no row where there is nothing. queries_this_month is null where nothing was counted: queries
-- of subjects are counted only where the organization limits them.
drop function if exists app.subject_summary(uuid, text);
create function app.subject_summary(p_space uuid, p_subject text)
returns table (
  subject text, patterns integer, texts integer, bytes bigint, first_stored timestamptz, last_stored timestamptz,
  queries_this_month integer
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.subject, count(*)::integer, count(p.text)::integer, sum(p.bytes)::bigint, min(p.created_at), max(p.created_at),
        (select q.of_month from app.subject_queries q where q.space_id = p_space and q.subject = p_subject
          and date_trunc('month', q.day) = date_trunc('month', (now() at time zone 'utc')::date))
      from app.patterns p
      where p.space_id = p_space and p.subject = p_subject and (p.expires_at is null or p.expires_at > now())
      group by p.subject;
end
$$;

-- Removes what there is of a subject beside its patterns and the rows that refer to them: revisions of patterns that are of
-- another subject now, answers kept for its idempotent requests, the traces of its use, and its counted queries.
-- @param p_actor how the hashes of the subject's actors begin @returns how many rows of each kind
create or replace function app.erase_beside_subject(p_space uuid, p_subject text, p_actor bytea) returns jsonb
language plpgsql as $$
declare
  versions bigint;
  traces bigint;
  answers bigint;
  queries bigint;
  bound text;
begin
  if app.bound_subject() <> p_subject then
    raise exception 'the transaction is of another subject' using errcode = 'insufficient_privilege';
  end if;
  -- Revisions refer to patterns, of which the subject no longer sees those that are another's.
  perform set_config('app.space_id', p_space::text, true);
  bound := app.leave_subject();
  delete from app.pattern_versions v where v.space_id = p_space and v.subject = p_subject;
  get diagnostics versions = row_count;
  -- An actor is p_actor alone, or followed by as many bytes: the hash of the name that a request of the subject gave.
  delete from app.actor_traces t where t.space_id = p_space
    and t.actor between p_actor and p_actor || decode(repeat('ff', length(p_actor)), 'hex');
  get diagnostics traces = row_count;
  -- A subject that erases itself keeps today's count: otherwise each erasure would let it ask as often again.
  delete from app.subject_queries q where q.space_id = p_space and q.subject = p_subject
    and (bound = '' or q.day <> (now() at time zone 'utc')::date);
  get diagnostics queries = row_count;
  delete from app.idempotency_keys k
    where k.space_id = p_space and strpos(k.route, '/') > 0 and substr(k.route, strpos(k.route, '/') + 1) = p_subject
      and k.status is not null;
  get diagnostics answers = row_count;
  perform app.return_to_subject(bound);
  return jsonb_build_object('versions', versions, 'traces', traces, 'answers', answers, 'queries', queries);
end
$$;

-- Refuses a change after which one of the subjects has more patterns than its organization allows each.
create or replace function app.require_subject_room(p_space uuid, p_subjects text[]) returns void language plpgsql as $$
declare
  tenant text := coalesce(current_setting('app.organization_id', true), '');
  cap integer;
begin
  -- The organization's row is seen by transactions of that organization only.
  perform set_config('app.organization_id', s.organization_id::text, true) from app.spaces s where s.id = p_space;
  select o.subject_patterns into cap from app.spaces s join app.organizations o on o.id = s.organization_id
    where s.id = p_space;
  perform set_config('app.organization_id', tenant, true);
  if cap is not null and exists (
    select from (select distinct u from unnest(p_subjects) as u) as n (subject)
      where app.patterns_of_subject(p_space, n.subject) > cap
  ) then
    raise exception 'a subject has as many patterns as it may' using errcode = 'MS001';
  end if;
end
$$;

-- Refuses new patterns of subjects that have as many as they may.
create or replace function app.limit_subjects() returns trigger language plpgsql as $$
declare
  of_space uuid;
  subjects text[];
begin
  select a.space_id, array_agg(a.subject) into of_space, subjects from added a where a.subject is not null
    group by a.space_id limit 1;
  if of_space is not null then
    perform app.require_subject_room(of_space, subjects);
  end if;
  return null;
end
$$;

-- Counts queries of a subject towards its limit per day, where its organization has one. @returns whether the limit allows them;
-- if not, none is counted.
create or replace function app.take_subject_queries(p_organization uuid, p_space uuid, p_subject text, p_queries integer)
returns boolean language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  cap integer;
  today date := (now() at time zone 'utc')::date;
begin
  perform set_config('app.organization_id', p_organization::text, true), set_config('app.space_id', p_space::text, true);
  select o.subject_queries_per_day into cap from app.organizations o where o.id = p_organization;
  if cap is null then
    return true;
  end if;
  insert into app.subject_queries as q (space_id, subject, day, of_day, of_month)
    select p_space, p_subject, today, p_queries, p_queries where p_queries <= cap
    on conflict (space_id, subject) do update set
        day = today,
        of_day = case when q.day = today then q.of_day else 0 end + p_queries,
        of_month = case when date_trunc('month', q.day) = date_trunc('month', today) then q.of_month else 0 end + p_queries
      where case when q.day = today then q.of_day else 0 end + p_queries <= cap;
  return found;
end
$$;

-- Takes back what `take_subject_queries` has counted today for a request that did not succeed.
create or replace function app.return_subject_queries(p_space uuid, p_subject text, p_queries integer) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  update app.subject_queries q
    set of_day = greatest(0, q.of_day - p_queries), of_month = greatest(0, q.of_month - p_queries)
    where q.space_id = p_space and q.subject = p_subject and q.day = (now() at time zone 'utc')::date;
end
$$;
