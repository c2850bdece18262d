-- What the platform itself keeps. Areas add their own tables in later migrations.

create extension if not exists pg_trgm;
create extension if not exists btree_gist;

create table installation (
  key        text primary key,
  value      jsonb not null,
  changed_at timestamptz not null default now()
);

-- One row per worker and key: the reply that a repeated request gets instead of a second effect.
create table idempotency_keys (
  worker_id    bigint not null,
  key          text not null,
  call         text not null,
  request_hash bytea not null,
  status       int not null,
  body         text not null,
  created_at   timestamptz not null,
  primary key (worker_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

create table rate_limits (
  key       text not null,
  window_at timestamptz not null,
  count     int not null,
  primary key (key, window_at)
);
create index rate_limits_window_at on rate_limits (window_at);

-- Who did what to what. Rows are only ever added; `tx` orders them for the hash chain without making writers wait.
create table audit_log (
  id          bigint generated always as identity primary key,
  tx          xid8 not null default pg_current_xact_id(),
  at          timestamptz not null,
  worker_id   bigint,
  worker_name text,
  call        text not null,
  action      text not null,
  outcome     text not null check (outcome in ('done', 'refused')),
  subject     text,
  subject_id  text,
  before      jsonb,
  after       jsonb,
  reason      text,
  address     text,
  request_id  text
);
create index audit_log_at on audit_log (at desc, id desc);
create index audit_log_worker on audit_log (worker_id, at desc);
create index audit_log_subject on audit_log (subject, subject_id, at desc);
create index audit_log_action on audit_log (action, at desc);
create index audit_log_tx on audit_log (tx, id);

create table audit_chain (
  seq      bigint primary key,
  audit_id bigint not null unique,
  tx       xid8 not null,
  hash     bytea not null,
  at       timestamptz not null default now()
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();
create trigger audit_chain_append_only before update or delete on audit_chain for each row execute function refuse_change();
create trigger audit_chain_no_truncate before truncate on audit_chain for each statement execute function refuse_change();

-- What must happen after commit: at least once, each key once.
create table outbox (
  id          bigint generated always as identity primary key,
  channel     text not null,
  key         text not null unique,
  payload     bytea not null,
  about       text not null default '',
  state       text not null default 'waiting' check (state in ('waiting', 'sent', 'dead')),
  tries       int not null default 0,
  next_try_at timestamptz not null,
  last_error  text,
  created_at  timestamptz not null,
  sent_at     timestamptz,
  outside_id  text
);
create index outbox_due on outbox (next_try_at) where state = 'waiting';
create index outbox_state on outbox (state, created_at desc);

-- The sample company's letter box: mails that would have gone out.
create table mailbox (
  id         bigint generated always as identity primary key,
  to_address text not null,
  subject    text not null,
  text       text not null,
  html       text,
  created_at timestamptz not null
);

create table schedules (
  name          text primary key,
  title         text not null,
  cron          text not null,
  zone          text not null,
  is_enabled    boolean not null default true,
  paused_by     bigint,
  paused_at     timestamptz,
  paused_reason text,
  next_run_at   timestamptz not null,
  version       int not null default 1
);

create table schedule_runs (
  id          bigint generated always as identity primary key,
  schedule    text not null references schedules (name) on delete cascade,
  due_at      timestamptz not null,
  trigger     text not null check (trigger in ('schedule', 'worker')),
  worker_id   bigint,
  started_at  timestamptz,
  beat_at     timestamptz,
  ended_at    timestamptz,
  state       text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'refused')),
  tries       int not null default 0,
  error       text,
  result      jsonb
);
create index schedule_runs_latest on schedule_runs (schedule, id desc);
-- Overlap is refused by the database: one running run per schedule.
create unique index schedule_runs_one_at_a_time on schedule_runs (schedule) where state = 'running';
create unique index schedule_runs_once on schedule_runs (schedule, due_at) where trigger = 'schedule';

-- Product usage events, by day, so that old days can be dropped whole.
create table events (
  id              uuid not null,
  created_at      timestamptz not null,
  source          text not null check (source in ('staff', 'customer')),
  user_id         bigint,
  worker_id       bigint,
  action_type     text not null,
  event_outcome   text not null,
  method          text not null,
  url             text not null,
  path            text not null,
  response_status int not null,
  response_time   real not null,
  ip_address      text
) partition by range (created_at);
create index events_recent on events (created_at desc, id);

create function ensure_event_partition(day date) returns void language plpgsql as $$
declare
  name text := 'events_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(name) is null then
    execute format('create table if not exists %I partition of events for values from (%L) to (%L)',
      name, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end if;
end $$;
