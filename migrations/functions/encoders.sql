-- Embeddings of texts that are made anew after a change of the encoder, space by space. Meanwhile nobody reads the space into memory,
-- and no text is stored in it. What looks at all spaces does so within the task `embed-anew`.

-- The table is of no tenant, so none may write it but by this.
create or replace function app.note_encoder(p_model text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  if app.current_task() is distinct from 'embed-anew' then
    raise exception 'only a start says which encoder there is' using errcode = 'insufficient_privilege';
  end if;
  insert into app.encoder as e (model) values (p_model)
    on conflict (one) do update set model = excluded.model where e.model <> excluded.model;
end
$$;
revoke all on function app.note_encoder(text) from public;
grant execute on function app.note_encoder(text) to memory_app;

-- Makes the encoder that of the deployment. Spaces without texts have its embeddings from now on.
create or replace function app.use_encoder(p_model text) returns void language plpgsql as $$
begin
  perform app.note_encoder(p_model);
  -- What is in memory of them stays as it is: there is nothing to compare with a text.
  update app.spaces s set text_model = p_model where s.text_model is distinct from p_model and s.text_patterns = 0;
end
$$;

-- Spaces in which embeddings may be of another encoder than the deployment's, that nobody else sees to, up to p_count: those first that
-- are known to have such, and the smallest of them. None of p_without, and none at all unless p_model is the deployment's.
create or replace function app.next_to_embed(p_model text, p_embedder text, p_without uuid[], p_count integer) returns setof uuid
language plpgsql as $$
begin
  return query
    select s.id from app.spaces s
      where s.text_model is distinct from p_model and app.current_encoder() = p_model
        and (s.embedder = p_embedder or s.embedder_until is null or s.embedder_until < now()) and s.id <> all (p_without)
      order by s.text_model is null, s.text_patterns, s.id limit p_count;
end
$$;

-- Leaves what somebody holds to others, who need not wait until it is theirs no more.
create or replace function app.leave_to_embed(p_embedder text) returns void language plpgsql as $$
begin
  update app.spaces s set embedder = null, embedder_until = null where s.embedder = p_embedder;
end
$$;

-- How many spaces that are, and how many texts they have.
create or replace function app.left_to_embed(p_model text) returns table (spaces integer, texts bigint)
language plpgsql as $$
begin
  return query
    select count(*)::integer, coalesce(sum(s.text_patterns), 0)::bigint from app.spaces s
      where s.text_model is not null and s.text_model <> p_model;
end
$$;

-- Takes a space for so long, to look for embeddings in it that are of another encoder than the deployment's, p_model. `closed`: it is
-- not searched meanwhile, since there are such or may be. `ends`: the idx behind its last pattern. No row where another has taken it,
-- or there is nothing to do.
create or replace function app.take_to_embed(p_space uuid, p_model text, p_embedder text, p_seconds double precision, p_close boolean)
returns table (closed boolean, ends integer)
language plpgsql as $$
declare
  was text;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.text_model, s.next_idx into was, ends from app.spaces s
    where s.id = p_space and s.text_model is distinct from p_model and app.current_encoder() = p_model
      and (s.embedder = p_embedder or s.embedder_until is null or s.embedder_until < now())
    for no key update;
  if not found then
    return;
  end if;
  closed := p_close or was is not null;
  update app.spaces s set embedder = p_embedder, embedder_until = now() + make_interval(secs => p_seconds)
    where s.id = p_space;
  if closed and was is distinct from '' then
    update app.spaces s
      set text_model = '', version = s.version + 1, history_floor = s.version + 1,
          engine_version = app.next_engine_version(s.engine_version)
      where s.id = p_space;
    -- The mean of what was asked is of the encoder before (`initialState` has the same).
    update app.space_states t set state = t.state || '{"asked": {"mean": [], "count": 0}}' where t.space_id = p_space;
  end if;
  return next;
end
$$;

-- Texts whose embeddings are of another encoder than p_model, up to p_count, with p_after < idx < p_before.
create or replace function app.texts_to_embed(p_space uuid, p_model text, p_after integer, p_before integer, p_count integer)
returns table (idx integer, text text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.text from app.patterns p
      where p.space_id = p_space and p.idx > p_after and p.idx < p_before and p.text is not null
        and p.model is distinct from p_model
      order by p.idx limit p_count;
end
$$;

-- The same of kept revisions: different texts of revisions of some patterns.
create or replace function app.versions_to_embed(p_space uuid, p_model text, p_after integer, p_before integer, p_count integer)
returns table (idx integer, text text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select v.idx, v.text from app.pattern_versions v
      where v.space_id = p_space and v.idx > p_after and v.idx < p_before and v.text is not null
        and v.model is distinct from p_model
      group by v.idx, v.text order by v.idx limit p_count;
end
$$;

-- Locks a space, and says whether it is closed and somebody's to embed by p_model: who was slow may have lost it to another.
create or replace function app.holds_to_embed(p_space uuid, p_model text, p_embedder text) returns boolean language plpgsql as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  perform from app.spaces s
    where s.id = p_space and s.embedder = p_embedder and s.text_model = '' and app.current_encoder() = p_model for no key update;
  return found;
end
$$;

-- Gives patterns that still have these texts their embeddings by p_model, and takes their passages away. Returns which those are.
create or replace function app.embed_texts(
  p_space uuid, p_model text, p_embedder text, p_idx integer[], p_texts text[], p_keys vector[]
)
returns integer[] language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  embedded integer[] := '{}';
  r record;
begin
  if not app.holds_to_embed(p_space, p_model, p_embedder) then
    return embedded;
  end if;
  for r in select * from unnest(p_idx, p_texts, p_keys) as g (idx, text, key) loop
    update app.patterns p set key = r.key, value = null, model = p_model
      where p.space_id = p_space and p.idx = r.idx and p.text = r.text and p.model is distinct from p_model;
    continue when not found;
    embedded := embedded || r.idx;
    delete from app.passages g where g.space_id = p_space and g.idx = r.idx;
  end loop;
  return embedded;
end
$$;

create or replace function app.embed_versions(
  p_space uuid, p_model text, p_embedder text, p_idx integer[], p_texts text[], p_keys vector[]
)
returns void language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  r record;
begin
  if not app.holds_to_embed(p_space, p_model, p_embedder) then
    return;
  end if;
  for r in select * from unnest(p_idx, p_texts, p_keys) as g (idx, text, key) loop
    update app.pattern_versions v set key = r.key, value = null, model = p_model
      where v.space_id = p_space and v.idx = r.idx and v.text = r.text and v.model is distinct from p_model;
  end loop;
end
$$;

-- Opens a space again whose embeddings are all of p_model. What of it is in memory or in files anywhere is read anew if it was closed;
-- else whoever has it in memory hears whose its embeddings are.
create or replace function app.end_embedding(p_space uuid, p_model text, p_embedder text) returns void language plpgsql as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  update app.spaces s
    set text_model = p_model, embedder = null, embedder_until = null,
        version = s.version + 1,
        history_floor = case s.text_model when '' then s.version + 1 else s.history_floor end
    where s.id = p_space and s.embedder = p_embedder;
end
$$;

-- Refuses to store texts with embeddings of another encoder than the space's. @throws lock_not_available, since it is so for a time only
create or replace function app.require_encoder(p_text_model text, p_model text) returns void language plpgsql immutable as $$
begin
  if p_text_model <> p_model then
    raise exception 'other encoder' using errcode = 'lock_not_available';
  end if;
end
$$;

-- The encoder of a space's embeddings; as long as it is not found out, that of one of its texts, null without any. In the
-- order of their index: to find one, the planner would make a bitmap of all of them.
create or replace function app.encoder_of(p_space uuid, p_text_model text) returns text
language plpgsql stable set plan_cache_mode = force_generic_plan
set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return coalesce(p_text_model, (
    select p.model from app.patterns p where p.space_id = p_space and p.text_hash is not null order by p.text_hash limit 1
  ));
end
$$;

-- Version of a space, and the encoder of its embeddings.
create or replace function app.space_header(p_space uuid)
returns table (version bigint, text_model text, history_floor bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query select s.version, app.encoder_of(s.id, s.text_model), s.history_floor from app.spaces s where s.id = p_space;
end
$$;
