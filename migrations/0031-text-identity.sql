-- White space is what Unicode calls so: U+0085 is, U+FEFF is not. The hashes by which texts are the same, where that
-- makes a difference.
alter table app.patterns no force row level security;
update app.patterns p
  set text_hash = sha256(convert_to(btrim(regexp_replace(
    normalize(p.text, NFC),
    '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'
  ), ' '), 'UTF8'))
  where strpos(p.text, U&'\0085') > 0 or strpos(p.text, U&'\FEFF') > 0;
alter table app.patterns force row level security;
