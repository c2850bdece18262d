-- How each part of the system is, and how it was over the last day.
create table health_states (
  probe         text primary key,
  status        text not null check (status in ('ok', 'warning', 'down', 'not_connected')),
  summary       text not null,
  facts         jsonb not null,
  latency       double precision,
  since         timestamptz not null,
  checked_at    timestamptz not null,
  last_error    text,
  last_error_at timestamptz
);
create table health_samples (
  probe   text not null,
  at      timestamptz not null,
  status  text not null check (status in ('ok', 'warning', 'down', 'not_connected')),
  latency double precision,
  primary key (probe, at)
);
create index health_samples_at on health_samples (at);
