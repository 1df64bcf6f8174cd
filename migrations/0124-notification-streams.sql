-- What lets streams of notifications miss nothing: the numbers of an organization's notifications, read while nobody is about to
-- add one, are in the order in which they are committed; and whoever streams is told of every change.

-- The bodies are in functions/messages.sql.
create function app.number_notification() returns trigger language plpgsql as $$ begin return new; end $$;
create function app.tell_notification() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger notification_numbered before insert on app.notifications
  for each row execute function app.number_notification();
create trigger notification_told after insert or update of read_at or delete on app.notifications
  for each row execute function app.tell_notification();
grant usage on sequence app.notifications_n_seq to memory_app;
