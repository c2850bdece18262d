-- As before, but an endpoint that is being deleted is waited for: the change itself must not fail.
-- Enqueues what happened for every endpoint that listens, in the transaction of the change. `happened` is a list of
-- `{type, record, refs, data}`; each record named in `refs` gets its external ids.
create or replace function enqueue_webhooks(happened jsonb, by_source text, at timestamptz, at_text text) returns void
language plpgsql as $$
begin
  if not exists (select from webhook_endpoints where enabled) then
    return;
  end if;
  insert into webhook_deliveries (endpoint_id, event_id, event_type, record, body, next_attempt_at, created_at)
  select e.id, v.event_id, v.type, v.record,
    format('{"type":%s,"timestamp":%s,"data":%s}', to_json(v.type), to_json(at_text), v.named || v.data), at, at
  from (
    select h.type, h.record, h.place, coalesce(h.data, '{}') as data,
      'evt_' || replace(gen_random_uuid()::text, '-', '') as event_id,
      (select coalesce(jsonb_object_agg(r.key, jsonb_build_object('id', (r.value->>'id')::bigint, 'external_ids',
        (select coalesce(jsonb_object_agg(x.source, x.external_id), '{}') from external_refs x
          where x.resource = r.value->>'resource' and x.record_id = (r.value->>'id')::bigint))), '{}')
        from jsonb_each(h.refs) r) as named
    from rows from (jsonb_to_recordset(happened) as (type text, record text, refs jsonb, data jsonb)) with ordinality
      as h(type, record, refs, data, place)
    where exists (select from webhook_endpoints l where l.enabled and h.type = any(l.events))
    offset 0
  ) v
  join webhook_endpoints e on e.enabled and v.type = any(e.events)
    and (by_source is null or e.include_own_changes or e.source is distinct from by_source)
  order by v.place, e.id
  for key share of e;
  if found then
    perform pg_notify('limber_webhooks', '');
  end if;
end $$;
