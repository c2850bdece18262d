-- Rollups of usage events: figures per minute, hour and local day, so that the dashboard's cost does not grow with
-- the number of events.

-- Hundredths of a millisecond survive in a double for any duration; in a real they do not.
alter table events alter column response_time type double precision;
create index events_by_action on events (action_type, created_at desc, id);

-- An id is taken once a day by its own index; ingest looks into the days around.
create or replace function ensure_event_partition(day date) returns void language plpgsql as $$
declare
  name text := 'events_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(name) is not null then return; end if;
  -- Two processes at midnight: the second waits and finds the day made.
  perform pg_advisory_xact_lock(7214030, 1);
  if to_regclass(name) is not null then return; end if;
  execute format('create table %I partition of events for values from (%L) to (%L)',
    name, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  execute format('create unique index %I on %I (id)', name || '_id', name);
end $$;

do $$
declare
  part regclass;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'events'::regclass loop
    execute format('create unique index %I on %s (id)', part::text || '_id', part);
  end loop;
end $$;

-- What a committed batch adds to the figures; written with the batch, taken away when it is rolled up.
create table event_deltas (
  id   bigint generated always as identity primary key,
  body text not null
);

create table event_names (
  id   int generated always as identity primary key,
  kind text not null check (kind in ('action', 'path')),
  name text not null,
  unique (kind, name)
);

-- Dense numbers for people, so that a set of them is a short bit string. Customers have positive refs, workers negative.
create table event_users (
  num int generated always as identity (minvalue 0 start 0) primary key,
  ref bigint not null unique
);

-- Tier 0 is a minute, 1 an hour, 2 a local day. Action 0 stands for all actions.
create table event_rollups (
  tier      smallint not null check (tier in (0, 1, 2)),
  action_id int not null,
  at        timestamptz not null,
  events    int not null,
  errors    int not null,
  time_sum  bigint not null,
  users     int not null,
  user_set  bytea not null,
  paths     bytea not null,
  primary key (tier, action_id, at)
);
-- Already packed; compressing again would only cost time.
alter table event_rollups alter column user_set set storage external, alter column paths set storage external;
create index event_rollups_at on event_rollups (tier, at);

-- Local days before `sealed_until` have rows of their own; in later ones the hours count.
create table event_rollup_state (
  only_row     boolean primary key default true check (only_row),
  zone         text not null,
  sealed_until timestamptz not null
);
