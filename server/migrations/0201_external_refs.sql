-- Ids that other systems gave our records. Deleted records keep theirs: a tombstone names them.
create table external_refs (
  source       text not null,
  resource     text not null,
  external_id  text not null check (length(external_id) between 1 and 200),
  record_id    bigint not null,
  -- The newest version taken from this source; older ones are stale.
  taken_at     timestamptz,
  -- Of records that never change: tells a repeated item from a different one.
  content_hash bytea,
  created_at   timestamptz not null,
  primary key (source, resource, external_id)
);
create unique index external_refs_record on external_refs (resource, record_id, source);

-- Waits for batches that could create the same records, and then says what is known: records by external id, and by the
-- column `key_column` of `key_table` (with the external id that the source gave them, if any). Without `names`, no other
-- batch of the source and resource runs meanwhile; with them, none that has one of them. Each statement of a function sees
-- what was committed while it waited.
create function open_batch(of_source text, of_resource text, names text[], ids text[], key_table text, key_column text, keys text[])
  returns table (external_id text, record_id bigint, taken_at timestamptz, content_hash bytea, natural_key text)
  language plpgsql as $$
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
  if cardinality(keys) > 0 then
    return query execute format(
      'select x.external_id, t.id, null::timestamptz, null::bytea, t.%2$I from %1$I t
      left join external_refs x on x.resource = $1 and x.record_id = t.id and x.source = $2
      where t.%2$I = any($3)', key_table, key_column) using of_resource, of_source, keys;
  end if;
end $$;

create function batch_lock(of_source text, of_resource text, name text) returns bigint language sql immutable
  return hashtextextended('batch:' || of_source || ':' || of_resource || ':' || name, 0);

-- Remembers what a source sent. A known id stays with its record; its version only rises.
create function save_refs(of_source text, of_resource text, ids text[], records bigint[], versions timestamptz[], hashes bytea[],
  at timestamptz) returns void language sql as $$
  insert into external_refs (source, resource, external_id, record_id, taken_at, content_hash, created_at)
  select of_source, of_resource, r.external_id, r.record_id, r.taken_at, r.content_hash, at
  from unnest(ids, records, versions, hashes) as r(external_id, record_id, taken_at, content_hash)
  on conflict (source, resource, external_id) do update set taken_at = greatest(external_refs.taken_at, excluded.taken_at)
  where excluded.taken_at is not null and excluded.taken_at is distinct from external_refs.taken_at
$$;
