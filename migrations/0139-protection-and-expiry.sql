-- What a caller has said of a pattern's protection, where only what that comes to is known: what differs from what follows from
-- metadata and category; else null, as if nobody had said anything.
create function app.asked_of(p_protected boolean, p_metadata jsonb, p_category text) returns boolean
language sql immutable parallel safe
return case
  when p_protected <> (
    coalesce(p_metadata -> 'protected' = 'true', false)
    or coalesce(
      p_category in ('identity', 'health', 'religion', 'politics', 'sexuality', 'ethnicity', 'biometric'), false
    )
  ) then p_protected
end;

-- What a caller has said of a pattern's protection, null where nobody has: then it follows from metadata and category. Until
-- here what a caller had said was told by its difference from that.
alter table app.patterns add column asked_protected boolean;
alter table app.patterns no force row level security;
update app.patterns p set asked_protected = p.protected
  where app.asked_of(p.protected, p.metadata, p.category) is not null;

-- What was superseded ends no earlier than it began, where somebody said when that was: until here it ended when what took its
-- place began, though that was earlier.
update app.patterns p set valid_to = coalesce(p.valid_from, p.occurred_at)
  where p.superseded_by is not null and p.valid_to < coalesce(p.valid_from, p.occurred_at)
    and (p.valid_from is not null or p.occurred_at < p.created_at or p.occurred_at > now());
alter table app.patterns force row level security;

-- Versions of patterns that expire before the pattern as it is now; of one that was redacted nothing is left.
create index pattern_versions_by_expiry on app.pattern_versions (expires_at) where expires_at is not null;
create policy expired on app.pattern_versions for select
  using (app.current_task() = 'erase-expired-patterns' and expires_at <= now());
