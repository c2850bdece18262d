-- What failed, in what the house sends out, and in what comes in.

-- Failed events with what is known of the failure, written with their batch. The error log files them into groups.
create table error_groups (
  id             bigint generated always as identity primary key,
  source         text not null check (source in ('staff', 'customer')),
  method         text not null,
  path           text not null,
  status         int not null,
  first_seen_at  timestamptz not null,
  last_seen_at   timestamptz not null,
  total          bigint not null,
  newest_code    text,
  newest_text    text,
  newest_cause   text,
  is_handled     boolean not null default false,
  handled_at     timestamptz,
  handled_by     bigint references workers (id),
  handled_note   text,
  reopened_at    timestamptz,
  times_reopened int not null default 0,
  version        int not null default 1,
  unique (source, method, path, status)
);
create index error_groups_last_seen on error_groups (last_seen_at desc);
create index error_groups_handled_by on error_groups (handled_by) where handled_by is not null;
create index error_groups_path on error_groups using gin (path gin_trgm_ops);

create table event_failures (
  id         bigint generated always as identity primary key,
  event_id   uuid not null,
  at         timestamptz not null,
  source     text not null,
  user_id    bigint,
  worker_id  bigint,
  method     text not null,
  url        text not null,
  path       text not null,
  status     int not null,
  ms         double precision not null,
  address    text,
  request_id text,
  code       text,
  text       text,
  cause      text,
  group_id   bigint references error_groups (id) on delete cascade
);
create index event_failures_unfiled on event_failures (id) where group_id is null;
create index event_failures_of_group on event_failures (group_id, at desc, id desc);
create index event_failures_at on event_failures (at);

-- Tier 0 is five minutes, 1 an hour.
create table error_counts (
  group_id bigint not null references error_groups (id) on delete cascade,
  tier     smallint not null check (tier in (0, 1)),
  at       timestamptz not null,
  count    int not null,
  primary key (group_id, tier, at)
);
create index error_counts_at on error_counts (tier, at) include (group_id, count);

-- Every window ends now, so the last time a person met a failure tells whether they count. Workers are negative.
create table error_people (
  group_id bigint not null references error_groups (id) on delete cascade,
  person   bigint not null,
  last_at  timestamptz not null,
  primary key (group_id, person)
);
create index error_people_last on error_people (last_at) include (group_id, person);

-- What failed before there was an error log.
insert into event_failures (event_id, at, source, user_id, worker_id, method, url, path, status, ms, address)
select id, created_at, source, user_id, worker_id, method, split_part(url, '?', 1), path, response_status, response_time, ip_address
from events where event_outcome = 'failure' and created_at > now() - interval '31 days' order by created_at;

-- A delivery that was given up can be tried again, or discarded with a reason; while it is carried nobody else may.
alter table outbox
  drop constraint outbox_state_check,
  add constraint outbox_state_check check (state in ('waiting', 'sent', 'dead', 'discarded')),
  add column leased_until   timestamptz,
  add column last_try_at    timestamptz,
  add column tries_before   int not null default 0,
  add column retried_at     timestamptz,
  add column retried_by     bigint references workers (id),
  add column discarded_at   timestamptz,
  add column discarded_by   bigint references workers (id),
  add column discard_reason text;
create index outbox_created on outbox (created_at desc, id desc);
create index outbox_channel on outbox (channel, created_at desc, id desc);
create index outbox_sent_at on outbox (sent_at) where state = 'sent';
create index outbox_retried_by on outbox (retried_by) where retried_by is not null;
create index outbox_discarded_by on outbox (discarded_by) where discarded_by is not null;
create index outbox_words on outbox using gin ((about || ' ' || key || ' ' || coalesce(outside_id, '')) gin_trgm_ops);

-- What other programs bring to us. What a sender brings twice is one row; what is not let in is one row an hour.
create table inbound_events (
  id               bigint generated always as identity primary key,
  kind             text not null,
  key              text not null,
  about            text not null,
  is_signed        boolean not null,
  status           text not null check (status in ('received', 'done', 'failed', 'rejected')),
  fields           jsonb not null,
  withheld         text[] not null,
  error            text,
  times            int not null default 1,
  received_at      timestamptz not null,
  last_received_at timestamptz not null,
  settled_at       timestamptz,
  request_id       text,
  address          text,
  unique (kind, key)
);
create index inbound_events_received on inbound_events (received_at desc, id desc);
create index inbound_events_status on inbound_events (status, received_at desc, id desc);
create index inbound_events_words on inbound_events using gin ((about || ' ' || key) gin_trgm_ops);
