-- The statements that store, change, remove and read patterns. How their statements are planned: see callers.sql.

-- What `patterns.key_hash` holds, for the index on it. Byte by byte: the service stores no negative zero.
create or replace function app.pattern_key_hash(p_key vector) returns bytea language sql immutable parallel safe
return substr(sha256(vector_send(p_key)), 1, 16);

-- Hashes a key that changes, or that came without.
create or replace function app.hash_pattern_key() returns trigger language plpgsql as $$
begin
  new.key_hash := app.pattern_key_hash(new.key);
  return new;
end
$$;

-- In place of a foreign key of patterns.
create or replace function app.require_empty_space() returns trigger language plpgsql as $$
declare
  space text := coalesce(current_setting('app.space_id', true), '');
begin
  perform set_config('app.space_id', old.id::text, true);
  if exists (select from app.patterns p where p.space_id = old.id) then
    raise exception 'space % still has patterns', old.id using errcode = 'foreign_key_violation';
  end if;
  perform set_config('app.space_id', space, true);
  return old;
end
$$;

-- Whether a pattern is there now: in lists and searches, not expired, not over and not yet to come.
create or replace function app.is_current(p_expires_at timestamptz, p_valid_to timestamptz, p_enters_at timestamptz)
returns boolean language sql stable parallel safe
return (p_expires_at is null or p_expires_at > now()) and (p_valid_to is null or p_valid_to > now()) and p_enters_at is null;

-- Whether the running transaction may change a pattern of this subject, which it sees: one of a subject changes its own.
create or replace function app.may_change(p_subject text) returns boolean language sql stable parallel safe
return app.bound_subject() is null or p_subject is not distinct from app.bound_subject();

-- Keeps what patterns hold before others take its place, at p_at, and of each the last p_kept.
create or replace function app.keep_versions(p_space uuid, p_idx integer[], p_kept integer, p_at timestamptz) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  place integer;
  last_kept integer;
begin
  insert into app.pattern_versions (
    space_id, idx, revision, text, metadata, category, key, value, source_dim, model, subject, external_id, occurred_at,
    expires_at, valid_from, valid_to, superseded_by, changed_at, changed_by, change, replaced_at
  )
  select p.space_id, p.idx, p.revision, p.text, p.metadata, p.category, p.key, p.value, p.source_dim, p.model, p.subject,
         p.external_id, p.occurred_at, p.expires_at, p.valid_from, p.valid_to, p.superseded_by,
         coalesce(p.updated_at, p.created_at), p.changed_by, coalesce(p.change, 'created'), p_at
    from app.named_patterns(p_space, p_idx) p where p_kept > 0;
  for place, last_kept in
    select p.idx, p.revision - p_kept from app.named_patterns(p_space, p_idx) p where p.revision > p_kept
  loop
    delete from app.pattern_versions v where v.space_id = p_space and v.idx = place and v.revision <= last_kept;
  end loop;
end
$$;

-- Whether there is a pattern with an id, also one that the subject of the transaction does not see.
create or replace function app.is_pattern(p_space uuid, p_id text) returns boolean language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  subject text := app.leave_subject();
  is_there boolean := exists (
    select from app.patterns p where p.space_id = p_space and p.id = p_id and (p.expires_at is null or p.expires_at > now())
  );
begin
  perform app.return_to_subject(subject);
  return is_there;
end
$$;

-- Where each row of a store belongs, given the names that callers have for them (p_external_ids) and what they take the
-- place of (p_supersedes: an id, or `ext:` and such a name). `outcomes`: created; of a name that is there replaced or
-- skipped, as p_on_conflict says. All others refuse the store: `exists`, `other_kind` (a text and no text), and of what
-- is superseded `unknown` or `superseded` by another. `places` are the patterns that are there, else -1.
create or replace function app.places_of(
  p_space uuid, p_ids text[], p_texts text[], p_external_ids text[], p_supersedes text[], p_on_conflict text,
  out outcomes text[], out places integer[], out ids text[], out tiers text[], out superseded integer[]
)
-- A plan from when there was little in the table would read the whole space for each id.
language sql stable set plan_cache_mode = force_custom_plan as $$
  select array_agg(case when f.old >= 0 and f.claims > 1 then 'superseded' else f.outcome end order by f.n),
      array_agg(f.place order by f.n), array_agg(f.id order by f.n), array_agg(f.tier order by f.n),
      array_agg(f.old order by f.n)
    from (
      select t.n, t.place, t.id, t.tier,
          case when t.outcome in ('created', 'replaced') then coalesce(o.idx, -1) else -1 end as old,
          count(*) over (partition by o.idx, t.outcome in ('created', 'replaced')) as claims,
          case
            when t.outcome not in ('created', 'replaced') or t.supersedes is null then t.outcome
            when o.idx is null or o.idx = t.place or not app.may_change(o.subject) then 'unknown'
            when o.superseded_by <> t.id and app.is_pattern(p_space, o.superseded_by) then 'superseded'
            else t.outcome
          end as outcome
        from (
          select r.n, r.supersedes, coalesce(p.idx, -1) as place, coalesce(p.id, r.id) as id, coalesce(p.tier, 'hot') as tier,
              case
                when p.idx is null then 'created'
                when p_on_conflict = 'error' or not app.may_change(p.subject) then 'exists'
                when p_on_conflict = 'skip' then 'skipped'
                when (p.text is null) <> (r.text is null) then 'other_kind'
                else 'replaced'
              end as outcome
            from unnest(p_external_ids, p_ids, p_texts, p_supersedes) with ordinality as r (external_id, id, text, supersedes, n)
            left join lateral (
              select o.idx, o.id, o.tier, o.text, o.subject from app.patterns o
                where o.space_id = p_space and o.external_id = r.external_id limit 1
            ) as p on r.external_id is not null
        ) as t
        -- Looked up by one index or the other: a planner without statistics would read the space for both at once.
        left join lateral (
          (
            select o.idx, o.superseded_by, o.subject from app.patterns o
              where o.space_id = p_space and o.id = t.supersedes and t.supersedes is not null and (o.expires_at is null or o.expires_at > now()) limit 1
          ) union all (
            select o.idx, o.superseded_by, o.subject from app.patterns o
              where o.space_id = p_space and o.external_id = substr(t.supersedes, 5) and t.supersedes like 'ext:%'
                and (o.expires_at is null or o.expires_at > now()) limit 1
          )
        ) as o on t.supersedes is not null
    ) as f
$$;

-- Whether a pattern is an end user's who is not the one named. What is of nobody is of no other.
create or replace function app.is_of_another(p_space uuid, p_idx integer, p_subject text)
returns boolean language sql stable as $$
  select exists (select from app.patterns p where p.space_id = p_space and p.idx = p_idx and p.subject <> p_subject)
$$;

-- How many patterns of the transaction's space have expired and are not erased yet, whosever they are: the plan counts all.
create or replace function app.expired_in(p_space uuid) returns bigint language plpgsql volatile
set plan_cache_mode = force_generic_plan as $$
declare
  subject text := app.leave_subject();
  expired bigint := (select count(*) from app.patterns p where p.space_id = p_space and p.expires_at <= now());
begin
  perform app.return_to_subject(subject);
  return expired;
end
$$;

-- Stores as many of the rows as p_limit (-1: no limit) leaves room for, in their order, and notes since when. The space's row
-- is locked until the commit, so versions and indexes are given in commit order. p_key_hashes: `app.pattern_key_hash` of
-- each key in hex. Where rows have names or take the place of others (p_external_ids is not null then, and no name is
-- there twice), see places_of: what is replaced needs no room, and `outcomes` has `failed` for what had none; refused
-- stores change nothing. p_subjects: null where none is said, which keeps that of what is replaced; empty where it is said that
-- there is none. p_protected: what follows from metadata and category; p_asked: what is said instead, `true` or `false`, or
-- `reset` for nothing any more; null keeps what was said of what is replaced. p_kept revisions of what is replaced are kept, p_by is
-- who stores. A `valid_from` earlier than when what it ends, or has ended, began is `too_early`, where somebody said when that was.
create or replace function app.store_patterns(
  p_space uuid, p_limit bigint, p_ids text[], p_texts text[], p_metadata text[], p_keys vector[], p_values vector[],
  p_source_dims integer[], p_text_hashes text[], p_model text, p_categories text[], p_protected boolean[],
  p_expires_at timestamptz[], p_occurred_at timestamptz[], p_key_hashes text[], p_subjects text[],
  p_external_ids text[], p_valid_from timestamptz[], p_valid_to timestamptz[], p_supersedes text[], p_on_conflict text,
  p_kept integer, p_by text, p_asked text[]
)
returns table (
  stored integer, first_idx integer, version bigint, patterns_used bigint, outcomes text[], places integer[],
  ids text[], tiers text[]
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  expired integer[];
  subject text;
  olds integer[];
  replaced integer[] := '{}';
  room integer := cardinality(p_ids);
  added_bytes bigint;
  added_texts bigint;
  encoder text;
  same integer;
  began timestamptz;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.next_idx, s.version + 1, s.patterns_used, s.text_model into first_idx, version, patterns_used, encoder
    from app.spaces s where s.id = p_space for no key update;
  if not found then
    raise exception 'space % is gone', p_space using errcode = 'foreign_key_violation';
  end if;
  if encoder is distinct from p_model and cardinality(array_remove(p_texts, null)) > 0 then
    perform app.require_encoder(app.encoder_of(p_space, encoder), p_model);
  end if;
  if p_external_ids is not null then
    -- What has expired is not there, though it may not be erased yet, whosever it is.
    subject := app.leave_subject();
    expired := array(
      select p.idx from app.patterns p
        where p.space_id = p_space and p.external_id = any (p_external_ids) and p.expires_at <= now()
    );
    if cardinality(expired) > 0 then
      perform app.remove_patterns(p_space, expired, null, null, null, null, null, null, false, false);
      select s.version + 1, s.patterns_used into version, patterns_used from app.spaces s where s.id = p_space;
    end if;
    perform app.return_to_subject(subject);
    select w.outcomes, w.places, w.ids, w.tiers, w.superseded into outcomes, places, ids, tiers, olds
      from app.places_of(p_space, p_ids, p_texts, p_external_ids, p_supersedes, p_on_conflict) w;
    replaced := array(select r.place from unnest(places, outcomes) as r (place, outcome) where r.outcome = 'replaced');
    -- A store takes nothing of one end user for another: two who are given one name are no reason to lose what is there, nor
    -- to leave out what comes, as if it were there.
    for n in 1 .. cardinality(outcomes) loop
      if p_subjects[n] is not null and outcomes[n] in ('replaced', 'skipped')
        and app.is_of_another(p_space, places[n], p_subjects[n]) then
        outcomes[n] := 'exists';
      elsif p_subjects[n] is not null and olds[n] >= 0 and app.is_of_another(p_space, olds[n], p_subjects[n]) then
        outcomes[n] := 'unknown';
      elsif p_valid_from[n] is not null then
        -- What is ended may be replaced by the same store, and begin at another time then.
        same := array_position(places, nullif(olds[n], -1));
        began := case
          when outcomes[same] = 'replaced' then coalesce(p_valid_from[same], p_occurred_at[same])
          when olds[n] >= 0 then app.told_begin(p_space, olds[n])
        end;
        -- What is replaced may have ended another before.
        if outcomes[n] = 'replaced' then
          began := greatest(began, app.begin_of_superseded(p_space, places[n], replaced));
        end if;
        if p_valid_from[n] < began then
          outcomes[n] := 'too_early';
        end if;
      end if;
    end loop;
    if outcomes && array['exists', 'other_kind', 'unknown', 'superseded', 'too_early'] then
      stored := 0;
      return next;
      return;
    end if;
    room := cardinality(array_positions(outcomes, 'created'));
  end if;
  stored := cardinality(p_ids) - room;
  if p_limit >= 0 and room > p_limit - patterns_used then
    -- What has expired takes no room, though it may not be erased yet.
    room := greatest(0, least(room, p_limit - patterns_used + app.expired_in(p_space)))::integer;
  end if;
  stored := stored + room;
  if p_external_ids is not null then
    select array_agg(case when r.outcome <> 'created' then r.place when r.rank <= room then first_idx + r.rank - 1 else -1 end order by r.n),
        array_agg(case when r.outcome = 'created' and r.rank > room then 'failed' else r.outcome end order by r.n)
      into places, outcomes
      from (
        select o.*, (count(*) filter (where o.outcome = 'created') over (order by o.n))::integer as rank
          from unnest(places, outcomes) with ordinality as o (place, outcome, n)
      ) as r;
  end if;
  if room = 0 and cardinality(replaced) = 0 then
    version := version - 1;
    patterns_used := patterns_used - app.expired_in(p_space);
    return next;
    return;
  end if;
  with added as (
    insert into app.patterns (
      space_id, idx, id, text, metadata, key, value, source_dim, key_hash, text_hash, model, category, protected, asked_protected,
      version, expires_at, occurred_at, subject, external_id, valid_from, valid_to, enters_at, changed_by
    )
    select p_space, coalesce(r.place, first_idx + r.n::integer - 1), r.id, r.text, r.metadata::jsonb, r.key, r.value,
           r.source_dim, decode(r.key_hash, 'hex'), decode(r.text_hash, 'hex'), case when r.text is not null then p_model end,
           r.category, coalesce(nullif(r.asked, 'reset')::boolean, r.protected), nullif(r.asked, 'reset')::boolean, version,
           r.expires_at, coalesce(r.occurred_at, now()), coalesce(nullif(r.subject, ''), app.bound_subject()), r.external_id,
           r.valid_from, r.valid_to, case when r.valid_from > now() then r.valid_from end, p_by
      from unnest(
        p_ids, p_texts, p_metadata, p_keys, p_values, p_source_dims, p_text_hashes, p_categories, p_protected,
        p_expires_at, p_occurred_at, p_key_hashes, p_subjects, p_external_ids, p_valid_from, p_valid_to, p_asked, places, outcomes
      ) with ordinality as r (
        id, text, metadata, key, value, source_dim, text_hash, category, protected, expires_at, occurred_at,
        key_hash, subject, external_id, valid_from, valid_to, asked, place, outcome, n
      )
      where case when r.outcome is null then r.n <= room else r.outcome = 'created' end
    returning bytes, text
  )
  select coalesce(sum(bytes), 0), count(text) into added_bytes, added_texts from added;
  if cardinality(replaced) > 0 then
    added_bytes := added_bytes + app.replace_patterns(
      p_space, version, replaced, p_kept, p_by, p_texts, p_metadata, p_keys, p_values, p_source_dims, p_text_hashes,
      p_model, p_categories, p_protected, p_expires_at, p_occurred_at, p_subjects, p_valid_from, p_valid_to,
      places, outcomes, p_asked
    );
  end if;
  update app.spaces s
    set version = store_patterns.version, next_idx = s.next_idx + room,
        patterns_used = s.patterns_used + room, text_patterns = s.text_patterns + added_texts,
        storage_bytes = s.storage_bytes + added_bytes,
        next_entry = least(s.next_entry, (select min(v) from unnest(p_valid_from) as v where v > now()))
    where s.id = p_space
    returning s.patterns_used into patterns_used;
  -- As it is told elsewhere.
  patterns_used := patterns_used - app.expired_in(p_space);
  if p_supersedes is not null then
    perform app.supersede_patterns(p_space, version, p_kept, p_by, olds, places);
  end if;
  -- To the minute: a space that is written all day has 1,440 of these, and one that was imported a few.
  insert into app.store_times as t (space_id, first_idx, stored_at)
    select p_space, first_idx, now() where room > 0 and not exists (
      select from (
        select l.stored_at from app.store_times l where l.space_id = p_space order by l.first_idx desc limit 1
      ) as last where last.stored_at > now() - interval '1 minute'
    );
  return next;
end
$$;

-- Whether a store or replacement of p_places (null: all are new, and without a name), which made the version, changed other patterns
-- too, whosever these are. Called in the statement of the store, it sees what that did, as a volatile function does.
create or replace function app.changed_beside(p_space uuid, p_version bigint, p_places integer[])
returns boolean language plpgsql strict set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  subject text := app.leave_subject();
  others boolean;
begin
  perform set_config('app.space_id', p_space::text, true);
  others := exists (
    select from app.patterns p where p.space_id = p_space and p.version = p_version and p.idx <> all (p_places)
  );
  perform app.return_to_subject(subject);
  return others;
end
$$;

-- A pattern of the locked space (p_new) that took the place of others, whosever these are by now, begins at p_since, and did at
-- p_was: they end then (see ends_at), where it is this that ended them, and not an end of their own that came before. p_is_told:
-- whether somebody said p_was. Else it was the time of a store, and of two stores without a time the first one made the end.
drop function if exists app.follow_successor(
  uuid, bigint, integer, text, text, text, timestamptz, boolean, timestamptz
);
create or replace function app.follow_successor(
  p_space uuid, p_version bigint, p_kept integer, p_by text, p_new text, p_was timestamptz, p_is_told boolean,
  p_since timestamptz
)
returns void language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  at timestamptz := clock_timestamp();
  subject text := app.leave_subject();
  old integer;
  ends timestamptz;
begin
  for old, ends in
    select p.idx, e.now
      from app.patterns p join app.patterns n on n.space_id = p_space and n.id = p_new
      cross join lateral (
        select app.ends_at(p.valid_from, p.occurred_at, p.created_at, p_was) as before,
            app.ends_at(p.valid_from, p.occurred_at, p.created_at, p_since) as now
      ) as e
      where p.space_id = p_space and p.superseded_by = p_new and p.valid_to <> e.now
        -- Processes of the release before ended it at p_was even if it began later.
        and (p.valid_to in (e.before, p_was) or not p_is_told and p.valid_to between n.created_at and p_was)
  loop
    perform app.keep_versions(p_space, array[old], p_kept, at);
    update app.patterns p set
        valid_to = ends, version = p_version, revision = p.revision + 1, updated_at = at, changed_by = p_by,
        change = 'superseded'
      where p.space_id = p_space and p.idx = old;
  end loop;
  perform app.return_to_subject(subject);
end
$$;

-- Whether somebody said when a pattern begins: one that was told nothing occurred, and begins, as it was stored.
create or replace function app.is_begin_told(p_valid_from timestamptz, p_occurred timestamptz, p_created timestamptz)
returns boolean language sql stable as $$
  select p_valid_from is not null or p_occurred < p_created or p_occurred > now()
$$;

-- When a pattern began, where somebody said so.
create or replace function app.told_begin(p_space uuid, p_idx integer) returns timestamptz language sql stable as $$
  select coalesce(p.valid_from, p.occurred_at) from app.patterns p
    where p.space_id = p_space and p.idx = p_idx and app.is_begin_told(p.valid_from, p.occurred_at, p.created_at)
$$;

-- When what a pattern (p_new) has ended began, the last of it; null where nobody said so, or the subject of the transaction does
-- not see that one. None of p_replaced: these are superseded no more.
create or replace function app.begin_of_superseded(p_space uuid, p_new integer, p_replaced integer[]) returns timestamptz
language sql stable set enable_seqscan = off as $$
  select max(app.told_begin(p_space, o.idx)) from app.patterns n
    join app.patterns o on o.space_id = p_space and o.superseded_by = n.id
    where n.space_id = p_space and n.idx = p_new and o.idx <> all (p_replaced)
$$;

-- When a pattern ends whose successor begins at p_since: then, but not before it began itself, where somebody said when that was.
create or replace function app.ends_at(
  p_valid_from timestamptz, p_occurred timestamptz, p_created timestamptz, p_since timestamptz
)
returns timestamptz language sql stable as $$
  select case
    when app.is_begin_told(p_valid_from, p_occurred, p_created) then greatest(coalesce(p_valid_from, p_occurred), p_since)
    else p_since
  end
$$;

-- What was superseded is so no more: what took its place (p_new) takes that of another that it superseded, or of nothing, whosever
-- it is by now.
create or replace function app.forget_superseded(p_space uuid, p_old text, p_new text) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  subject text := app.leave_subject();
begin
  update app.patterns n set supersedes = (
      select o.id from app.patterns o
        where o.space_id = p_space and o.superseded_by = p_new and o.id <> p_old order by o.idx desc limit 1
    )
    where n.space_id = p_space and n.id = p_new and n.supersedes = p_old;
  perform app.return_to_subject(subject);
end
$$;

-- Whether a time that a store gives something that is there (null: none) is the one that it has. What is stored without one again
-- happened when it did.
create or replace function app.is_same_event(p_given timestamptz, p_occurred timestamptz, p_created timestamptz)
returns boolean language sql stable as $$
  select case when p_given is null then not app.is_begin_told(null, p_occurred, p_created) else p_given = p_occurred end
$$;

-- Replaces what patterns of the locked space hold by rows of a store, all of p_replaced. Whatever is not given anew goes,
-- but for the subject, what was said of the protection, and what the pattern took the place of. What a row says already is
-- no change, and makes no version: sources that are stored every night would lose by it what their records were before.
-- Returns the bytes that it added.
drop function if exists app.replace_patterns(
  uuid, bigint, integer[], integer, text, text[], text[], vector[], vector[], integer[], text[], text, text[], boolean[],
  timestamptz[], timestamptz[], text[], timestamptz[], timestamptz[], integer[], text[]
);
create or replace function app.replace_patterns(
  p_space uuid, p_version bigint, p_replaced integer[], p_kept integer, p_by text, p_texts text[], p_metadata text[],
  p_keys vector[], p_values vector[], p_source_dims integer[], p_text_hashes text[], p_model text, p_categories text[],
  p_protected boolean[], p_expires_at timestamptz[], p_occurred_at timestamptz[], p_subjects text[],
  p_valid_from timestamptz[], p_valid_to timestamptz[], p_places integer[], p_outcomes text[], p_asked text[]
)
returns bigint language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  at timestamptz := clock_timestamp();
  r record;
  was record;
  since timestamptz;
  corrected jsonb[] := '{}';
  one jsonb;
  before bigint;
  after bigint;
  gained text[];
  changed integer[];
begin
  select sum(p.bytes) into before from app.named_patterns(p_space, p_replaced) p;
  gained := array(
    select g.subject from unnest(p_places, p_outcomes, p_subjects) as g (place, outcome, subject)
      cross join lateral app.named_patterns(p_space, array[g.place]) p
      where g.outcome = 'replaced' and g.subject <> coalesce(p.subject, '')
  );
  changed := array(
    select g.place from unnest(
        p_places, p_outcomes, p_texts, p_metadata, p_keys, p_values, p_source_dims, p_expires_at, p_occurred_at, p_subjects,
        p_valid_from, p_valid_to, p_asked
      ) as g (
        place, outcome, text, metadata, key, value, source_dim, expires_at, occurred_at, subject, valid_from, valid_to, asked
      )
      cross join lateral app.named_patterns(p_space, array[g.place]) p
      where g.outcome = 'replaced' and not (
        (p.text, p.metadata, p.value, p.source_dim, p.expires_at, p.valid_from, p.valid_to) is not distinct from
          (g.text, g.metadata::jsonb, g.value, g.source_dim, g.expires_at, g.valid_from, g.valid_to)
        -- Of an equal text another key is another encoder's.
        and (g.text is not null or p.key = g.key)
        and app.is_same_event(g.occurred_at, p.occurred_at, p.created_at)
        and coalesce(nullif(g.subject, ''), p.subject) is not distinct from p.subject
        and (g.asked is null or nullif(g.asked, 'reset')::boolean is not distinct from p.asked_protected)
        and p.superseded_by is null
      )
  );
  perform app.keep_versions(p_space, changed, p_kept, at);
  delete from app.passages g where g.space_id = p_space and g.idx = any (p_replaced);
  -- One by one: a planner without statistics would read the whole space for each.
  for r in
    select * from unnest(
      p_texts, p_metadata, p_keys, p_values, p_source_dims, p_text_hashes, p_categories, p_protected, p_expires_at,
      p_occurred_at, p_subjects, p_valid_from, p_valid_to, p_places, p_outcomes, p_asked
    ) as given (
      text, metadata, key, value, source_dim, text_hash, category, protected, expires_at, occurred_at, subject,
      valid_from, valid_to, place, outcome, asked
    )
    where given.outcome = 'replaced'
  loop
    select p.id, p.supersedes, p.superseded_by, coalesce(p.valid_from, p.occurred_at) as since,
        case when r.asked is null then p.asked_protected else nullif(r.asked, 'reset')::boolean end as asked,
        r.place = any (changed) as changes,
        app.is_begin_told(p.valid_from, p.occurred_at, p.created_at) as is_told into was
      from app.patterns p where p.space_id = p_space and p.idx = r.place;
    update app.patterns p set
        text = r.text, metadata = r.metadata::jsonb, key = r.key, value = r.value, source_dim = r.source_dim,
        text_hash = decode(r.text_hash, 'hex'), model = case when r.text is not null then p_model end,
        category = r.category, protected = coalesce(was.asked, r.protected), asked_protected = was.asked, expires_at = r.expires_at,
        occurred_at = coalesce(r.occurred_at, case when was.changes then now() else p.occurred_at end),
        subject = coalesce(nullif(r.subject, ''), p.subject), valid_from = r.valid_from,
        valid_to = r.valid_to, enters_at = case when r.valid_from > now() then r.valid_from end, superseded_by = null,
        version = p_version, revision = p.revision + was.changes::integer,
        updated_at = case when was.changes then at else p.updated_at end,
        changed_by = case when was.changes then p_by else p.changed_by end,
        change = case when was.changes then 'updated' else p.change end
      where p.space_id = p_space and p.idx = r.place
      returning coalesce(p.valid_from, p.occurred_at) into since;
    if was.superseded_by is not null then
      perform app.forget_superseded(p_space, was.id, was.superseded_by);
    end if;
    -- Where no time is said, nor was, the same store once more changes nothing of the other.
    if was.supersedes is not null and (r.valid_from is not null or r.occurred_at is not null or was.is_told) then
      corrected := array_append(corrected, jsonb_build_object(
        'new', was.id, 'was', was.since, 'is_told', was.is_told, 'since', since
      ));
    end if;
  end loop;
  -- Afterwards: another one may be replaced by the same store, and then is superseded no more.
  foreach one in array corrected loop
    perform app.follow_successor(
      p_space, p_version, p_kept, p_by, one ->> 'new', (one ->> 'was')::timestamptz, (one ->> 'is_told')::boolean,
      (one ->> 'since')::timestamptz
    );
  end loop;
  if cardinality(gained) > 0 then
    perform app.require_subject_room(p_space, gained);
  end if;
  select sum(p.bytes) into after from app.named_patterns(p_space, p_replaced) p;
  return after - before;
end
$$;

-- Ends the validity of patterns of the locked space (p_old, -1 for none) where that of those in their place begins
-- (p_new, see ends_at), unless it ends before, and links both. What they were told before stays as it is, unless what took their place is
-- gone.
create or replace function app.supersede_patterns(
  p_space uuid, p_version bigint, p_kept integer, p_by text, p_old integer[], p_new integer[]
)
returns void language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  at timestamptz := now();
  r record;
begin
  -- Recorded as of the time of the store, so that at no time both are valid, unless one was changed while this waited for the space.
  if exists (
    select from app.named_patterns(p_space, p_old) p where coalesce(p.updated_at, p.created_at) > at
  ) then
    at := clock_timestamp();
  end if;
  for r in
    select o.idx as old, o.id as old_id, n.idx as new, n.id as new_id,
        o.superseded_by is null or not app.is_pattern(p_space, o.superseded_by) as ends,
        coalesce(n.valid_from, n.occurred_at) as since
      from unnest(p_old, p_new) as g (old, new)
      cross join lateral app.named_patterns(p_space, array[g.old]) o
      cross join lateral app.named_patterns(p_space, array[g.new]) n
      where g.old >= 0 and g.new >= 0
  loop
    if r.ends then
      perform app.keep_versions(p_space, array[r.old], p_kept, at);
      update app.patterns p set
          valid_to = least(p.valid_to, app.ends_at(p.valid_from, p.occurred_at, p.created_at, r.since)),
          superseded_by = r.new_id, version = p_version, revision = p.revision + 1, updated_at = at, changed_by = p_by,
          change = 'superseded'
        where p.space_id = p_space and p.idx = r.old;
    end if;
    update app.patterns p set supersedes = r.old_id where p.space_id = p_space and p.idx = r.new;
  end loop;
end
$$;

-- Shows some of what is valid from now on, the earliest first: whoever calls waits for no more than that, however much begins at
-- one time. Says how many these are, and when that is to be done next, which is at once where some are left. Found in the order
-- of their index, as in patterns_of_texts, and changed by their place, as in remove_patterns.
drop function if exists app.enter_patterns(uuid);
create function app.enter_patterns(p_space uuid) returns table (version bigint, next_entry timestamptz, entered integer)
language plpgsql set plan_cache_mode = force_generic_plan
set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off set cpu_index_tuple_cost = 1000 as $$
#variable_conflict use_column
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.version, s.next_entry into version, next_entry from app.spaces s where s.id = p_space for no key update;
  entered := 0;
  -- Since this began, while it waited for the space, somebody else has shown some: those who wait together would each wait for
  -- all before them.
  if next_entry > now() and next_entry <= clock_timestamp() then
    return next;
    return;
  end if;
  update app.patterns p set enters_at = null, version = enter_patterns.version + 1
    where p.ctid = any (array(
      select d.ctid from app.patterns d where d.space_id = p_space and d.enters_at <= now() order by d.enters_at limit 2000
    ));
  get diagnostics entered = row_count;
  if entered > 0 then
    version := version + 1;
  end if;
  select min(p.enters_at) into next_entry from app.patterns p where p.space_id = p_space and p.enters_at is not null;
  if next_entry <= now() then
    next_entry := clock_timestamp();
  end if;
  update app.spaces s set version = enter_patterns.version, next_entry = enter_patterns.next_entry
    where s.id = p_space and (entered > 0 or s.next_entry is distinct from enter_patterns.next_entry);
  return next;
end
$$;

-- Changes a pattern and keeps the revision that was there. Null arguments keep what is there; so does what p_changes has
-- no field for: metadata, category, protected, asked_protected, value (an array of numbers, as text), source_dim, expires_at, occurred_at,
-- external_id, subject, valid_from, valid_to, superseded_by.
create or replace function app.change_pattern(
  p_space uuid, p_id text, p_text text, p_key text, p_text_hash text, p_model text, p_changes jsonb, p_kept integer,
  p_by text, p_change text
)
returns table (idx integer, version bigint, revision integer)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  at timestamptz;
  old_bytes integer;
  new_bytes integer;
  encoder text;
  was text;
  successor text;
  superseded text;
  replaced text;
  began timestamptz;
  begins timestamptz;
  is_told boolean;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.version + 1, s.text_model into version, encoder from app.spaces s where s.id = p_space for no key update;
  if encoder is distinct from p_model and p_model is not null then
    perform app.require_encoder(app.encoder_of(p_space, encoder), p_model);
  end if;
  select p.idx, p.bytes, p.subject, p.superseded_by, p.supersedes, coalesce(p.valid_from, p.occurred_at),
      app.is_begin_told(p.valid_from, p.occurred_at, p.created_at)
      into idx, old_bytes, was, successor, replaced, began, is_told from app.patterns p
    where p.space_id = p_space and p.id = p_id and (p.expires_at is null or p.expires_at > now())
      and app.may_change(p.subject);
  if not found then
    return;
  end if;
  at := clock_timestamp();
  perform app.keep_versions(p_space, array[idx], p_kept, at);
  update app.patterns p set
      text = coalesce(p_text, p.text), key = coalesce(p_key::vector, p.key),
      text_hash = coalesce(decode(p_text_hash, 'hex'), p.text_hash), model = coalesce(p_model, p.model),
      metadata = case when p_changes ? 'metadata' then nullif(p_changes -> 'metadata', 'null') else p.metadata end,
      category = case when p_changes ? 'category' then p_changes ->> 'category' else p.category end,
      protected = coalesce((p_changes ->> 'protected')::boolean, p.protected),
      asked_protected = case
        when p_changes ? 'asked_protected' then (p_changes ->> 'asked_protected')::boolean
        -- A process of the release before says what protection comes to, and nothing of what was said of it.
        when p_changes ? 'protected' and (p_changes ->> 'protected')::boolean is distinct from p.asked_protected then app.asked_of(
          (p_changes ->> 'protected')::boolean, coalesce(p_changes -> 'metadata', p.metadata),
          case when p_changes ? 'category' then p_changes ->> 'category' else p.category end
        )
        else p.asked_protected
      end,
      value = case when p_changes ? 'value' then (p_changes ->> 'value')::vector else p.value end,
      source_dim = case when p_changes ? 'source_dim' then (p_changes ->> 'source_dim')::integer else p.source_dim end,
      expires_at = case when p_changes ? 'expires_at' then (p_changes ->> 'expires_at')::timestamptz else p.expires_at end,
      -- What happened at no time that its caller knows of happened when it was stored.
      occurred_at = case
        when p_changes ? 'occurred_at' then coalesce((p_changes ->> 'occurred_at')::timestamptz, p.created_at)
        else p.occurred_at
      end,
      external_id = case when p_changes ? 'external_id' then p_changes ->> 'external_id' else p.external_id end,
      subject = case when p_changes ? 'subject' then p_changes ->> 'subject' else p.subject end,
      valid_from = case when p_changes ? 'valid_from' then (p_changes ->> 'valid_from')::timestamptz else p.valid_from end,
      enters_at = case
        when not p_changes ? 'valid_from' then p.enters_at
        when (p_changes ->> 'valid_from')::timestamptz > now() then (p_changes ->> 'valid_from')::timestamptz
      end,
      valid_to = case when p_changes ? 'valid_to' then (p_changes ->> 'valid_to')::timestamptz else p.valid_to end,
      -- What is valid without end again is superseded no more.
      superseded_by = case
        when p_changes ? 'superseded_by' then p_changes ->> 'superseded_by'
        when p_changes -> 'valid_to' = 'null' then null
        else p.superseded_by
      end,
      version = change_pattern.version, revision = p.revision + 1, updated_at = at, changed_by = p_by, change = p_change
    where p.space_id = p_space and p.idx = change_pattern.idx
    returning p.bytes, p.revision, p.superseded_by, coalesce(p.valid_from, p.occurred_at)
      into new_bytes, revision, superseded, begins;
  if successor <> coalesce(superseded, '') then
    perform app.forget_superseded(p_space, p_id, successor);
  end if;
  if replaced is not null and (p_changes ? 'valid_from' or p_changes ? 'occurred_at') then
    perform app.follow_successor(p_space, version, p_kept, p_by, p_id, began, is_told, begins);
  end if;
  if p_changes ->> 'subject' <> coalesce(was, '') then
    perform app.require_subject_room(p_space, array[p_changes ->> 'subject']);
  end if;
  update app.spaces s
    set version = change_pattern.version, storage_bytes = s.storage_bytes - old_bytes + new_bytes,
        next_entry = least(s.next_entry, (
          select p.enters_at from app.patterns p where p.space_id = p_space and p.idx = change_pattern.idx
        ))
    where s.id = p_space;
  return next;
end
$$;

-- Gives those of the patterns that had no time of their own the time of an event, as revisions of the version that the
-- transaction's next change of the space makes. Returns which.
create or replace function app.tell_events(p_space uuid, p_idx integer[], p_events timestamptz[], p_kept integer)
returns integer[] language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  at timestamptz;
  next_version bigint;
  told integer[] := '{}';
  r record;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.version + 1 into next_version from app.spaces s where s.id = p_space for no key update;
  at := clock_timestamp();
  for r in
    select p.idx, n.event from unnest(p_idx, p_events) as n (idx, event)
      cross join lateral app.named_patterns(p_space, array[n.idx]) p
      where p.occurred_at = p.created_at and p.occurred_at <> n.event
  loop
    perform app.keep_versions(p_space, array[r.idx], p_kept, at);
    update app.patterns p set
        occurred_at = r.event, version = next_version, revision = p.revision + 1, updated_at = at, changed_by = null,
        change = 'merged'
      where p.space_id = p_space and p.idx = r.idx;
    told := told || r.idx;
  end loop;
  return told;
end
$$;

-- Gives the newest pattern that is there with this key another value (null: the key itself) and, where p_set_metadata says
-- so, other metadata, from which p_protected follows where nobody has said otherwise; the revision before is kept. A text
-- pattern is named and left as it is; no row when no pattern has the key. What the pattern has already makes no revision.
create or replace function app.put_vector(
  p_space uuid, p_key text, p_value text, p_set_metadata boolean, p_metadata text, p_category text, p_protected boolean,
  p_kept integer, p_by text
)
returns table (idx integer, is_text boolean, version bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  wanted vector := p_key::vector;
  at timestamptz;
  old_bytes integer;
  new_bytes integer;
  changes boolean;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.version + 1 into version from app.spaces s where s.id = p_space for no key update;
  select p.idx, p.text is not null, p.bytes,
      p.value is distinct from p_value::vector or p_set_metadata and p.metadata is distinct from p_metadata::jsonb
      into idx, is_text, old_bytes, changes from app.patterns p
    where p.space_id = p_space and p.key_hash = app.pattern_key_hash(wanted) and p.key = wanted
      and app.is_current(p.expires_at, p.valid_to, p.enters_at) and app.may_change(p.subject)
    order by p.idx desc limit 1;
  if not found then
    return;
  end if;
  if not is_text then
    at := clock_timestamp();
    if changes then
      perform app.keep_versions(p_space, array[idx], p_kept, at);
    end if;
    update app.patterns p set
        value = p_value::vector,
        metadata = case when p_set_metadata then p_metadata::jsonb else p.metadata end,
        category = case when p_set_metadata then p_category else p.category end,
        protected = case when p_set_metadata then coalesce(p.asked_protected, p_protected) else p.protected end,
        version = put_vector.version, revision = p.revision + changes::integer,
        updated_at = case when changes then at else p.updated_at end,
        changed_by = case when changes then p_by else p.changed_by end,
        change = case when changes then 'updated' else p.change end
      where p.space_id = p_space and p.idx = put_vector.idx
      returning p.bytes into new_bytes;
    update app.spaces s set version = put_vector.version, storage_bytes = s.storage_bytes - old_bytes + new_bytes
      where s.id = p_space;
  end if;
  return next;
end
$$;

-- Removes the patterns that meet every condition given (null: not given); p_dry_run only finds them. p_among are those
-- that a filter lets in; neither they nor p_idx name a pattern twice. A query is p_idx, what a search of the space at p_seen found, and the patterns with the text of p_same_text; a pattern stored
-- or changed since then is judged anew by its distance from p_query. What has expired goes too, unmentioned.
create or replace function app.remove_patterns(
  p_space uuid, p_idx integer[], p_seen bigint, p_query text, p_threshold double precision, p_same_text text,
  p_category text, p_among integer[], p_text_only boolean, p_dry_run boolean
)
returns table (idx integer, id text, version bigint)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set cpu_index_tuple_cost = 1000 as $$
#variable_conflict use_column
declare
  conditions text := 'p.space_id = $1';
  named integer[];
  doomed integer[];
  freed bigint;
  freed_texts bigint;
  new_version bigint;
  places tid[];
begin
  perform set_config('app.space_id', p_space::text, true);
  if not p_dry_run then
    perform from app.spaces s where s.id = p_space for no key update;
  end if;
  if p_query is not null then
    -- Embedded anew since they were looked for, texts are not compared with that query.
    if exists (select from app.spaces s where s.id = p_space and (s.text_model = '' or s.history_floor > p_seen)) then
      perform app.require_encoder('', 'another');
    end if;
    p_idx := app.patterns_like(p_space, p_idx, p_seen, p_query::vector, p_threshold, decode(p_same_text, 'hex'));
  end if;
  named := coalesce(p_idx, p_among);
  if p_category is not null then
    conditions := conditions || ' and p.category = $3';
  end if;
  if p_idx is not null and p_among is not null then
    conditions := conditions || ' and p.idx = any ($4)';
  end if;
  if p_text_only then
    conditions := conditions || ' and p.text is not null';
  end if;
  if p_dry_run then
    conditions := conditions || ' and (p.expires_at is null or p.expires_at > now())';
  end if;
  execute
    $select$select coalesce(array_agg(p.idx), '{}'), coalesce(sum(p.bytes), 0), count(p.text) from $select$
      || case when named is null then 'app.patterns' else 'app.named_patterns($1, $2)' end || ' p where ' || conditions
    into doomed, freed, freed_texts
    using p_space, named, p_category, p_among;
  if p_dry_run then
    return query select p.idx, p.id, null::bigint from app.named_patterns(p_space, doomed) p order by p.idx;
    return;
  end if;
  if cardinality(doomed) = 0 then
    return;
  end if;
  update app.spaces s
    set version = s.version + 1, patterns_used = s.patterns_used - cardinality(doomed),
        text_patterns = s.text_patterns - freed_texts, storage_bytes = s.storage_bytes - freed
    where s.id = p_space returning s.version into new_version;
  insert into app.pattern_tombstones (space_id, version, idx)
    select p_space, new_version, d from unnest(doomed) d;
  -- Locked where they are found and deleted by their place, as in erase_references. What an entry of an index is said to cost
  -- keeps the database from looking through the space for those places.
  places := array(
    select p.ctid from unnest(doomed) as n (idx) cross join lateral (
      select p.ctid from app.patterns p where p.space_id = p_space and p.idx = n.idx for update offset 0) p
  );
  return query
    with gone as (
      delete from app.patterns p where p.ctid = any (places) returning p.idx, p.id, p.expires_at
    )
    select g.idx, g.id, new_version from gone g
      where g.expires_at is null or g.expires_at > now() order by g.idx;
end
$$;

-- Removes those of the patterns whose time is over now that nobody else changes the space: whoever found them may have waited
-- for a change that prolonged it. @returns how many
create or replace function app.erase_expired(p_space uuid, p_idx integer[]) returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  expired integer[];
begin
  perform set_config('app.space_id', p_space::text, true);
  perform from app.spaces s where s.id = p_space for no key update;
  expired := array(select p.idx from app.named_patterns(p_space, p_idx) p where p.expires_at <= now());
  perform app.remove_patterns(p_space, expired, null, null, null, null, null, null, false, false);
  return cardinality(expired);
end
$$;

-- Removes every unexpired pattern with this key.
create or replace function app.delete_vectors(p_space uuid, p_key text) returns table (idx integer, version bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  wanted vector := p_key::vector;
  doomed integer[];
begin
  perform set_config('app.space_id', p_space::text, true);
  perform from app.spaces s where s.id = p_space for no key update;
  select coalesce(array_agg(p.idx), '{}') into doomed from app.patterns p
    where p.space_id = p_space and p.key_hash = app.pattern_key_hash(wanted) and p.key = wanted
      and (p.expires_at is null or p.expires_at > now());
  return query
    select d.idx, d.version
      from app.remove_patterns(p_space, doomed, null, null, null, null, null, null, false, false) d;
end
$$;

-- Removes every pattern of the space. No tombstones: other copies of the space start anew.
create or replace function app.empty_space(p_space uuid) returns table (deleted bigint, version bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  perform set_config('app.space_id', p_space::text, true);
  update app.spaces s
    set version = s.version + 1, history_floor = s.version + 1, patterns_used = 0, text_patterns = 0,
        storage_bytes = 0
    where s.id = p_space returning s.version into version;
  delete from app.patterns p where p.space_id = p_space;
  get diagnostics deleted = row_count;
  delete from app.pattern_tombstones t where t.space_id = p_space;
  delete from app.store_times t where t.space_id = p_space;
  delete from app.actor_traces t where t.space_id = p_space;
  delete from app.subject_queries q where q.space_id = p_space;
  return next;
end
$$;

-- The patterns of a space with these numbers, each looked up by its own key. Given a list, a planner without statistics,
-- such as that of a new installation, reads all patterns of the space instead, and keeps to that while it grows.
create or replace function app.named_patterns(p_space uuid, p_idx integer[]) returns setof app.patterns language sql stable as $$
  select p.* from unnest(p_idx) as i (idx)
    cross join lateral (
      select o.* from app.patterns o where o.space_id = p_space and o.idx = i.idx limit 1
    ) as p
$$;

-- Patterns with one of some texts. As a range, of which there is an order: in that of their index nothing is sorted, while for equal
-- texts the planner takes any index of the space for as good, and reads all of it for each.
create or replace function app.patterns_of_texts(p_space uuid, p_hashes bytea[]) returns setof app.patterns
language plpgsql set plan_cache_mode = force_generic_plan
set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  hash bytea;
begin
  foreach hash in array p_hashes loop
    return query
      select * from app.patterns p where p.space_id = p_space and p.text_hash between hash and hash order by p.text_hash;
  end loop;
end
$$;

-- Patterns with a text that are of one end user, or of nobody where p_subject is null: a range of the index of copies, which is of
-- texts alone, so that the condition says so too. Sorting is off as in patterns_of_texts.
create or replace function app.copies_of_text(p_space uuid, p_hash bytea, p_subject text) returns setof app.patterns
language plpgsql set plan_cache_mode = force_generic_plan
set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  of_subject text := coalesce(p_subject, '');
begin
  return query
    select * from app.patterns p
      where p.space_id = p_space and p.text_hash is not null
        and (p.text_hash, case when p.subject is null then '' else p.subject end) >= (p_hash, of_subject)
        and (p.text_hash, case when p.subject is null then '' else p.subject end) <= (p_hash, of_subject)
      order by p.text_hash, case when p.subject is null then '' else p.subject end;
end
$$;

-- Patterns that a search of the space at a version had not seen: stored or changed since, over or not valid yet. Sorting
-- is off as in patterns_of_texts.
create or replace function app.patterns_outside(p_space uuid, p_seen bigint) returns setof app.patterns
language plpgsql set plan_cache_mode = force_generic_plan
set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query select * from app.patterns p where p.space_id = p_space and p.version > p_seen order by p.version;
  return query
    select * from app.patterns p where p.space_id = p_space and p.valid_to <= now() and p.version <= p_seen order by p.valid_to;
  return query
    select * from app.patterns p where p.space_id = p_space and p.enters_at is not null and p.version <= p_seen
      order by p.enters_at;
end
$$;

-- Patterns that are as like a query as p_threshold says: see remove_patterns. Each kind is looked up by an index of its own: of
-- conditions with an OR between them all patterns of the space would be asked.
create or replace function app.patterns_like(
  p_space uuid, p_found integer[], p_seen bigint, p_query vector, p_threshold double precision, p_text_hash bytea
)
returns integer[] language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select n.idx from app.named_patterns(p_space, p_found) n
      where n.version <= p_seen and app.is_current(null, n.valid_to, n.enters_at)
    union select t.idx from app.patterns_of_texts(p_space, array[p_text_hash]) t
    union select c.idx from app.patterns_outside(p_space, p_seen) c
      where case when vector_dims(c.key) = vector_dims(p_query) then 1 - (c.key <=> p_query) >= p_threshold end
  );
end
$$;

-- What answers show of patterns, as JSON text where it is JSON: it goes into answers as it is. The vector's text is
-- the shortest that reads back as the same float32 values; times are in ms since 1970. Deleted or expired patterns are left out.
drop function if exists app.find_payloads(uuid, integer[], boolean);
create function app.find_payloads(p_space uuid, p_idx integer[], p_values boolean)
returns table (
  idx integer, id text, text text, metadata text, value text, dimensions integer, source_dim integer, at double precision,
  external_id text
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.id, p.text, p.metadata::text,
           case when p_values then coalesce(p.value, p.key)::text end,
           vector_dims(p.key), p.source_dim, extract(epoch from p.occurred_at)::double precision * 1000,
           p.external_id
      from app.named_patterns(p_space, p_idx) p where app.is_current(p.expires_at, p.valid_to, p.enters_at);
end
$$;

-- Keys of patterns as pgvector's binary form, for those that are not in memory as float32. Deleted or expired patterns
-- are left out, and those that were embedded by another encoder than p_model since they were searched.
create or replace function app.find_keys(p_space uuid, p_idx integer[], p_model text) returns table (idx integer, key bytea)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, vector_send(p.key) from app.named_patterns(p_space, p_idx) p
      where app.is_current(p.expires_at, p.valid_to, p.enters_at)
        and (p_model is null or p.model is null or p.model = p_model);
end
$$;

-- One unexpired pattern with its vectors as JSON text; value null where it equals the key.
create or replace function app.find_vector(p_space uuid, p_idx integer)
returns table (key text, value text, metadata text, is_text boolean)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.key::text, p.value::text, p.metadata::text, p.text is not null from app.patterns p
    where p.space_id = p_space and p.idx = p_idx and (p.expires_at is null or p.expires_at > now());
end
$$;

-- Rows for the resident index, in idx order, of what is valid, until it expires or is over: the vector as pgvector's binary form. A planner without statistics would
-- sort the whole space for each page: at 20,000 patterns that took twice as long as reading them in order.
create or replace function app.load_patterns(p_space uuid, p_after_idx integer, p_count integer)
returns table (idx integer, key bytea, is_text boolean, source_dim integer, expires_at timestamptz, tier text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, vector_send(p.key), p.text is not null, p.source_dim, least(p.expires_at, p.valid_to), p.tier from app.patterns p
    where p.space_id = p_space and p.idx > p_after_idx and p.enters_at is null
      and (p.valid_to is null or p.valid_to > now())
    order by p.idx limit p_count;
end
$$;

-- Up to which version a statement tells what changed after another: some two thousand changes and all others of the last one's
-- version. So no statement keeps others waiting, or answers with a whole space, where another process has stored a million patterns;
-- whoever needs a later version asks again.
create or replace function app.changes_until(p_space uuid, p_since bigint) returns bigint
language sql stable set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
  select coalesce((select c.version from (
    (select p.version from app.patterns p where p.space_id = p_space and p.version > p_since order by p.version limit 2000)
    union all
    (select t.version from app.pattern_tombstones t where t.space_id = p_space and t.version > p_since
      order by t.version limit 2000)
  ) as c order by c.version offset 1999 limit 1), 9223372036854775807)
$$;

-- What changed after a version, up to the one that is told: rows stored, updated or moved to another tier, and (key null) rows
-- not valid or (tier null) deleted; one row with idx null when nothing did. One statement, so that the space's version and floor
-- are of the same moment as the changes. In the order of versions, so that their index is used: by a planner that takes every
-- index of the space for as good, all of it is read for each change.
create or replace function app.changed_patterns(p_space uuid, p_since bigint)
returns table (
  version bigint, history_floor bigint, idx integer, key bytea, is_text boolean, source_dim integer,
  expires_at timestamptz, tier text
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off as $$
declare
  until bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  until := app.changes_until(p_space, p_since);
  return query
    select least(s.version, until), s.history_floor, c.idx, c.key, c.is_text, c.source_dim, c.expires_at, c.tier
      from app.spaces s
      left join (
        (select p.idx,
            case when p.enters_at is null and (p.valid_to is null or p.valid_to > now()) then vector_send(p.key) end as key,
            p.text is not null as is_text, p.source_dim, least(p.expires_at, p.valid_to) as expires_at, p.tier
          from app.patterns p where p.space_id = p_space and p.version > p_since and p.version <= until order by p.version)
        union all
        select t.idx, null, null, null, null, null
          from app.pattern_tombstones t where t.space_id = p_space and t.version > p_since and t.version <= until
      ) as c on true
      where s.id = p_space;
end
$$;

-- The next p_count texts, whose they are and until when they are there, in idx order.
drop function if exists app.texts_after(uuid, integer, integer);
create function app.texts_after(p_space uuid, p_after_idx integer, p_count integer)
returns table (idx integer, text text, subject text, expires_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.text, p.subject, least(p.expires_at, p.valid_to) from app.patterns p
    where p.space_id = p_space and p.idx > p_after_idx and p.text is not null
      and app.is_current(p.expires_at, p.valid_to, p.enters_at)
    order by p.idx limit p_count;
end
$$;

-- Stores passages of texts that have none: the arrays have an entry for each.
create or replace function app.put_passages(
  p_space uuid, p_idx integer[], p_n integer[], p_first integer[], p_end integer[], p_keys vector[]
)
returns void language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  insert into app.passages (space_id, idx, n, first_character, end_character, key)
    select p_space, r.idx, r.n, r.first_character, r.end_character, r.key
      from unnest(p_idx, p_n, p_first, p_end, p_keys) as r (idx, n, first_character, end_character, key);
end
$$;

-- What of the texts changed after a version: stored or changed ones with whose they are, until when they are there and their
-- passages, and (text null) what is gone, not valid or no text; one row with idx null when nothing did. `keys` are the passages' in
-- pgvector's binary form, one behind the other.
drop function if exists app.text_changes(uuid, bigint);
create function app.text_changes(p_space uuid, p_since bigint)
returns table (
  version bigint, history_floor bigint, idx integer, text text, subject text, expires_at timestamptz, firsts integer[],
  ends integer[], keys bytea
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off as $$
declare
  until bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  until := app.changes_until(p_space, p_since);
  return query
    select least(s.version, until), s.history_floor, c.idx, c.text, c.subject, c.expires_at, c.firsts, c.ends, c.keys
      from app.spaces s
      left join (
        (select p.idx, case when app.is_current(null, p.valid_to, p.enters_at) then p.text end as text, p.subject,
            least(p.expires_at, p.valid_to) as expires_at, g.firsts, g.ends, g.keys from app.patterns p
          left join lateral app.passages_of(p.space_id, p.idx) g on p.text is not null
          where p.space_id = p_space and p.version > p_since and p.version <= until order by p.version)
        union all
        select t.idx, null, null, null, null, null, null
          from app.pattern_tombstones t where t.space_id = p_space and t.version > p_since and t.version <= until
      ) as c on true
      where s.id = p_space;
end
$$;

-- The passages of a text, in their order; nulls where it has none.
create or replace function app.passages_of(p_space uuid, p_idx integer)
returns table (firsts integer[], ends integer[], keys bytea) language sql stable as $$
  select array_agg(g.first_character order by g.n), array_agg(g.end_character order by g.n),
      string_agg(vector_send(g.key), '' order by g.n)
    from app.passages g where g.space_id = p_space and g.idx = p_idx
$$;

-- Passages of the next p_count texts that have any, in idx order; see text_changes.
create or replace function app.load_passages(p_space uuid, p_after_idx integer, p_count integer)
returns table (idx integer, firsts integer[], ends integer[], keys bytea)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select t.idx, g.firsts, g.ends, g.keys
      from (
        select f.idx from app.passages f
          where f.space_id = p_space and f.idx > p_after_idx and f.n = 0 order by f.idx limit p_count
      ) as t
      cross join lateral app.passages_of(p_space, t.idx) g
      order by t.idx;
end
$$;

-- The passages of a text that is another one now.
create or replace function app.forget_passages() returns trigger language plpgsql as $$
declare
  subject text := app.leave_subject();
begin
  delete from app.passages g where g.space_id = new.space_id and g.idx = new.idx;
  perform app.return_to_subject(subject);
  return null;
end
$$;

-- Text patterns of a space, and the bytes that all its rows and vectors take.
create or replace function app.text_statistics(p_space uuid) returns table (text_patterns integer, storage_bytes bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select
      (s.text_patterns - (
        -- Expired and not erased yet: at most a minute's worth.
        select count(*) from app.patterns p
          where p.space_id = p_space and p.text is not null and p.expires_at <= now()
      ))::integer,
      s.storage_bytes
    from app.spaces s where s.id = p_space;
end
$$;

-- Version of a space.
create or replace function app.space_version(p_space uuid) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return (select s.version from app.spaces s where s.id = p_space);
end
$$;

-- In place of foreign keys to patterns: what refers to them goes with them. Here and below the subject of the transaction is
-- left aside: what a change makes stale goes, though the subject does not see it.
create or replace function app.forget_references() returns trigger language plpgsql as $$
declare
  each record;
begin
  for each in select g.space_id, array_agg(g.idx) as idx from gone g group by g.space_id loop
    perform app.erase_references(each.space_id, each.idx);
  end loop;
  return null;
end
$$;

-- In place of foreign keys to patterns: rows that were added to a table refer to ones that are there, and stay until the
-- transaction ends. The columns with their numbers are the trigger's arguments.
create or replace function app.require_patterns() returns trigger language plpgsql as $$
declare
  subject text := app.leave_subject();
  missing integer;
begin
  for i in 0 .. tg_nargs - 1 loop
    execute format(
      $select$select n.idx from (select distinct space_id, %I as idx from added) as n
        where (
          select o.idx from app.patterns o where o.space_id = n.space_id and o.idx = n.idx for key share
        ) is null limit 1$select$, tg_argv[i]) into missing;
    if missing is not null then
      raise exception 'pattern % is gone', missing using errcode = 'foreign_key_violation';
    end if;
  end loop;
  perform app.return_to_subject(subject);
  return null;
end
$$;

-- What was found out with a key, or made of it, goes with the key. pg_restore works with an empty search_path, in which a
-- condition of a trigger finds no operator of vectors: the comparison is made when the trigger fires.
create or replace function app.forget_compositions() returns trigger language plpgsql as $$
declare
  subject text := app.leave_subject();
begin
  if old.key is distinct from new.key then
    delete from app.pair_trials t where t.space_id = new.space_id and (t.a = new.idx or t.b = new.idx);
    delete from app.compositions c where c.space_id = new.space_id and (c.a = new.idx or c.b = new.idx);
  end if;
  perform app.return_to_subject(subject);
  return null;
end
$$;

-- A pattern that is gone is not what was found last either. Whoever deletes patterns holds the lock of their space, under
-- which alone its state is written.
create or replace function app.forget_last_found() returns trigger language plpgsql as $$
declare
  subject text := app.leave_subject();
begin
  update app.space_states e set state = e.state || '{"lastTop": null}'
    from gone g where e.space_id = g.space_id and (e.state ->> 'lastTop')::integer = g.idx;
  perform app.return_to_subject(subject);
  return null;
end
$$;

-- What refers to patterns is kept in order by the triggers of 0133 from here on. Until here foreign keys did it, so that the
-- release before found either.
do $$
declare
  each record;
begin
  for each in
    select c.conrelid::regclass as name, c.conname as key from pg_constraint c
      where c.contype = 'f' and (
        c.confrelid = 'app.patterns'::regclass
        -- One for each pattern that is deleted, whose space is locked.
        or c.conrelid = 'app.pattern_tombstones'::regclass
      )
  loop
    execute format('alter table %s drop constraint %I', each.name, each.key);
  end loop;
  drop trigger if exists pattern_forgotten on app.patterns;
  drop function if exists app.forget_traces();
end
$$;
