-- One mailbox, one account; and an end to what signing in and the audit log gather.

-- The part of an address before the @-sign is kept in NFKC, as addresses are read now. Domains stay as they are: they
-- are looked up in both spellings. Where another account has the address already, it stays too.
select set_config('app.task', 'administer-accounts', true);
update app.users u set email = f.email
  from (
    select id, lower(normalize(regexp_replace(email, '@[^@]*$', ''), nfkc)) || substring(email from '@[^@]*$') as email
      from app.users where email ~ '[^\x01-\x7f].*@'
  ) f
  where f.id = u.id and f.email <> u.email and not exists (select from app.users o where o.email = f.email);
select set_config('app.task', '', true);
