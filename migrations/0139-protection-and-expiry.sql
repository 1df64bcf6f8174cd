-- What a caller has said of a pattern's protection, null where nobody has: then it follows from metadata and category. Until
-- here what a caller had said was told by its difference from that.
alter table app.patterns add column asked_protected boolean;
alter table app.patterns no force row level security;
update app.patterns p set asked_protected = p.protected
  where p.protected <> (
    coalesce(p.metadata -> 'protected' = 'true', false)
    or coalesce(
      p.category in ('identity', 'health', 'religion', 'politics', 'sexuality', 'ethnicity', 'biometric'), false
    )
  );
alter table app.patterns force row level security;

-- Versions of patterns that expire before the pattern as it is now; of one that was redacted nothing is left.
create index pattern_versions_by_expiry on app.pattern_versions (expires_at) where expires_at is not null;
create policy expired on app.pattern_versions for select
  using (app.current_task() = 'erase-expired-patterns' and expires_at <= now());
