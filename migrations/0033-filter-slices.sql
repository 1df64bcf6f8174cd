-- A filter over many patterns in slices: what one statement looks at is bounded, and others have their turn in between.

-- Indexes of the unexpired patterns from p_first on, p_count indexes of them, that match the metadata filter, in their
-- order; and where the space's indexes end. A range of indexes is read by the primary key, whatever is known of the table.
create function app.filter_patterns_from(
  p_space uuid, p_filter jsonb, p_text_only boolean, p_first integer, p_count integer,
  out matching integer[], out end_idx integer
)
language plpgsql as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.next_idx into end_idx from app.spaces s where s.id = p_space;
  execute format(
    $query$
      select coalesce(array_agg(p.idx order by p.idx), '{}') from app.patterns p
      where p.space_id = $1 and p.idx >= $3 and p.idx < $4 and (not $2 or p.text is not null)
        and (p.expires_at is null or p.expires_at > now()) and %s
    $query$,
    app.filter_condition(p_filter)
  ) into matching using p_space, p_text_only, p_first, p_first + p_count;
end
$$;
