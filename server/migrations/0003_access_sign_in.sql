-- What proves a worker, what lets one in for the first time, and the attempts to sign in.

create table onboarding_links (
  id                bigint generated always as identity primary key,
  worker_id         bigint not null references workers (id) on delete cascade,
  token_hash        bytea not null unique,
  purpose           text not null check (purpose in ('invite', 'recovery')),
  created_at        timestamptz not null,
  expires_at        timestamptz not null,
  used_at           timestamptz,
  revoked_at        timestamptz,
  -- How far this link has come. What the worker had before stays in force until the link is used up.
  totp_secret       bytea,
  totp_confirmed_at timestamptz,
  totp_last_step    bigint not null default 0,
  totp_tries        int not null default 0,
  multi_device_at   timestamptz
);
create unique index onboarding_links_one_open on onboarding_links (worker_id) where used_at is null and revoked_at is null;
create index onboarding_links_worker on onboarding_links (worker_id, id desc);

create table passkeys (
  id                 bigint generated always as identity primary key,
  worker_id          bigint not null references workers (id) on delete cascade,
  -- Set while the link by which it was registered is not used up: it proves nothing yet.
  link_id            bigint references onboarding_links (id) on delete cascade,
  credential_id      bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key         bytea not null,
  counter            bigint not null,
  transports         text[] not null default '{}',
  is_backup_eligible boolean not null,
  is_backed_up       boolean not null,
  aaguid             text not null,
  name               text not null,
  created_at         timestamptz not null,
  confirmed_at       timestamptz,
  last_used_at       timestamptz,
  revoked_at         timestamptz
);
create index passkeys_worker on passkeys (worker_id);
create index passkeys_link on passkeys (link_id) where link_id is not null;

-- Each challenge once: the row goes with its first use, whatever comes of it.
create table passkey_challenges (
  challenge  text primary key,
  owner      text not null,
  purpose    text not null check (purpose in ('create', 'get')),
  expires_at timestamptz not null
);
create index passkey_challenges_owner on passkey_challenges (owner);
create index passkey_challenges_expiry on passkey_challenges (expires_at);

create table sign_in_attempts (
  id                 bigint generated always as identity primary key,
  -- Null for an address that may not sign in: such an attempt looks the same and leads nowhere.
  worker_id          bigint references workers (id) on delete cascade,
  email              text not null,
  user_key           text not null,
  device_key         text not null,
  device_id          bigint references devices (id) on delete cascade,
  flow_hash          bytea not null unique,
  token_hash         bytea not null,
  stage              text not null check (stage in
    ('code_sent', 'device_ok', 'passkey_pending', 'passkey_ok', 'totp_ok', 'consumed', 'dead')),
  code_mac           text,
  sends              int not null default 1,
  starts             int not null default 0,
  tries              int not null default 0,
  pending_passkey    jsonb,
  passkey_id         bigint references passkeys (id) on delete cascade,
  passkey_counter    bigint,
  passkey_backed_up  boolean,
  device_ok_at       timestamptz,
  passkey_ok_at      timestamptz,
  totp_ok_at         timestamptz,
  consumed_at        timestamptz,
  dead_reason        text,
  created_at         timestamptz not null,
  expires_at         timestamptz not null
);
create index sign_in_attempts_expiry on sign_in_attempts (expires_at);

-- Failures by address and by kind of browser: what strangers do wrong slows strangers.
create table sign_in_failures (
  key            text primary key,
  failures       int not null,
  last_failed_at timestamptz not null,
  blocked_until  timestamptz
);
create index sign_in_failures_age on sign_in_failures (last_failed_at);

create table recovery_codes (
  id         bigint generated always as identity primary key,
  worker_id  bigint not null references workers (id) on delete cascade,
  code_hash  bytea not null,
  created_at timestamptz not null,
  used_at    timestamptz,
  unique (worker_id, code_hash)
);

create table recovery_requests (
  id         bigint generated always as identity primary key,
  worker_id  bigint not null references workers (id) on delete cascade,
  state      text not null default 'open' check (state in ('open', 'approved', 'denied')),
  address    text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by bigint references workers (id) on delete set null,
  decided_at timestamptz
);
create index recovery_requests_newest on recovery_requests (id desc);
create index recovery_requests_worker on recovery_requests (worker_id, created_at desc);

-- Keys to the visitor's door of the sample company.
create table sample_keys (
  key_hash   bytea primary key,
  worker_id  bigint not null references workers (id) on delete cascade,
  expires_at timestamptz not null,
  used_at    timestamptz
);

create index workers_search on workers using gin ((name || ' ' || email) gin_trgm_ops);
