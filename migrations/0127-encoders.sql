-- Which encoder made the embeddings of a space's texts. A cosine of embeddings of two encoders means nothing, so none are compared:
-- a space is searched by the encoder that made all of it, and after a change of the encoder not before its texts are embedded anew.

-- The deployment's encoder: that of the process that started last.
create table app.encoder (
  one   boolean primary key default true check (one),
  model text not null
);
grant select on app.encoder to memory_app;

create function app.current_encoder() returns text language sql stable as $$ select model from app.encoder $$;

alter table app.spaces
  -- The encoder of all its embeddings of texts; '' while they are made anew. Null in a space from before this was noted, until it
  -- is found out.
  add column text_model text,
  -- Who makes them anew, until then unless that is renewed.
  add column embedder text,
  add column embedder_until timestamptz;
alter table app.spaces alter column text_model set default app.current_encoder();
create policy embed_anew on app.spaces
  using (app.current_task() = 'embed-anew') with check (app.current_task() = 'embed-anew');
