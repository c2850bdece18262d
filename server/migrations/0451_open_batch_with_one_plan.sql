-- One plan for every batch: planning took most of the time of a batch of one. The plan must use the indexes, also if it was
-- made while the tables were empty.
create or replace function open_batch(of_source text, of_resource text, names text[], ids text[], key_table text, key_column text, keys text[])
  returns table (external_id text, record_id bigint, taken_at timestamptz, content_hash bytea, natural_key text)
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  if names is null then
    perform pg_advisory_xact_lock(batch_lock(of_source, of_resource, ''));
  else
    perform pg_advisory_xact_lock_shared(batch_lock(of_source, of_resource, ''));
    perform pg_advisory_xact_lock(batch_lock(of_source, of_resource, n)) from unnest(names) n;
  end if;
  return query
    select r.external_id, r.record_id, r.taken_at, r.content_hash, null::text from external_refs r
    where r.source = of_source and r.resource = of_resource and r.external_id = any(ids);
  if cardinality(keys) = 0 then
    return;
  elsif key_table = 'customers' and key_column = 'email' then
    return query
      select x.external_id, t.id, null::timestamptz, null::bytea, t.email from customers t
      left join external_refs x on x.resource = of_resource and x.record_id = t.id and x.source = of_source
      where t.email = any(keys);
  else
    return query execute format(
      'select x.external_id, t.id, null::timestamptz, null::bytea, t.%2$I from %1$I t
      left join external_refs x on x.resource = $1 and x.record_id = t.id and x.source = $2
      where t.%2$I = any($3)', key_table, key_column) using of_resource, of_source, keys;
  end if;
end $$;
