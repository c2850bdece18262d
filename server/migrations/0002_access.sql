-- Workers, what proves who they are, and where they are signed in.

create table workers (
  id                bigint generated always as identity primary key,
  email             text not null unique check (length(email) <= 254),
  name              text not null,
  role              text,
  permissions       text[] not null default '{}',
  -- The WebAuthn user handle: random, never the e-mail.
  handle            bytea not null unique check (octet_length(handle) between 1 and 64),
  status            text not null default 'invited' check (status in ('invited', 'active', 'disabled')),
  totp_secret       bytea,
  totp_confirmed_at timestamptz,
  totp_last_step    bigint not null default 0,
  totp_failures     int not null default 0,
  multi_device_at   timestamptz,
  onboarded_at      timestamptz,
  disabled_at       timestamptz,
  version           int not null default 1,
  created_at        timestamptz not null
);

create table devices (
  id          bigint generated always as identity primary key,
  worker_id   bigint not null references workers (id) on delete cascade,
  token_hash  bytea not null unique,
  label       text not null,
  created_at  timestamptz not null,
  last_used_at timestamptz not null,
  expires_at  timestamptz not null,
  revoked_at  timestamptz
);
create index devices_worker on devices (worker_id);

create table sessions (
  id            bigint generated always as identity primary key,
  token_hash    bytea not null unique,
  worker_id     bigint not null references workers (id) on delete cascade,
  device_id     bigint references devices (id) on delete set null,
  created_at    timestamptz not null,
  last_seen_at  timestamptz not null,
  stepped_up_at timestamptz,
  ended_at      timestamptz,
  ended_reason  text,
  address       text,
  browser       text
);
create index sessions_worker on sessions (worker_id) where ended_at is null;
