-- Addresses of other systems that are told what changed.
create table webhook_endpoints (
  id                  bigint generated always as identity primary key,
  url                 text not null check (length(url) between 1 and 2000),
  description         text not null default '',
  events              text[] not null check (cardinality(events) > 0),
  enabled             boolean not null default true,
  -- Set for endpoints that an API key created: changes by this source are not echoed to it.
  source              text,
  include_own_changes boolean not null default false,
  -- Why the product switched it off: `gone` for a reply of 410, `failing` after five days.
  off_reason          text check (off_reason in ('gone', 'failing')),
  off_at              timestamptz,
  -- The first failure since the last success.
  failing_since       timestamptz,
  created_by          bigint references workers (id),
  created_at          timestamptz not null,
  version             integer not null default 1,
  -- The process that delivers for this endpoint.
  lease_owner         text,
  leased_until        timestamptz,
  check (not enabled or (off_reason is null and off_at is null))
);
create index webhook_endpoints_created_by on webhook_endpoints (created_by) where created_by is not null;

-- One without an end, which is the current one, and those before it with the end of their overlap.
create table webhook_secrets (
  id          bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoints (id) on delete cascade,
  secret      bytea not null,
  created_at  timestamptz not null,
  expires_at  timestamptz
);
create index webhook_secrets_endpoint on webhook_secrets (endpoint_id, id);
create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where expires_at is null;

create table webhook_deliveries (
  id              bigint generated always as identity primary key,
  endpoint_id     bigint not null references webhook_endpoints (id) on delete cascade,
  -- Sent as `webhook-id`; the same for every attempt and every endpoint.
  event_id        text not null,
  event_type      text not null,
  -- Events of one record are delivered in order: `customers 17`.
  record          text not null,
  body            text not null,
  state           text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  is_test         boolean not null default false,
  -- Attempts since it was enqueued or last redelivered by hand.
  tries           integer not null default 0,
  next_attempt_at timestamptz not null,
  -- `{at, status, duration_ms, error}`, oldest first.
  attempts        jsonb not null default '[]',
  -- The signature header and the reply of the last attempt.
  signature       text,
  reply           text,
  created_at      timestamptz not null,
  settled_at      timestamptz
) with (fillfactor = 85);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, id) where state = 'waiting';
create index webhook_deliveries_of_record on webhook_deliveries (endpoint_id, record, id) where state = 'waiting';
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id) where state = 'failed';
create index webhook_deliveries_created on webhook_deliveries (created_at);

-- Enqueues what happened for every endpoint that listens, in the transaction of the change. `happened` is a list of
-- `{type, record, refs, data}`; each record named in `refs` gets its external ids.
create function enqueue_webhooks(happened jsonb, by_source text, at timestamptz, at_text text) returns void
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
  -- An endpoint that is being deleted is waited for: the change itself must not fail.
  for key share of e;
  if found then
    perform pg_notify('limber_webhooks', '');
  end if;
end $$;
