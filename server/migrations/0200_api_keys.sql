-- Keys for programs. A key is `lmb_<public_id>_<secret>`; only a hash of the secret is stored.
create table api_keys (
  id                  bigint generated always as identity primary key,
  public_id           text not null unique,
  name                text not null check (name <> ''),
  -- The system that uses the key, and owns the external ids that it sends.
  source              text not null check (source ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  scopes              text[] not null,
  expires_at          timestamptz,
  -- Empty: any address.
  networks            cidr[] not null default '{}',
  requests_per_minute integer not null check (requests_per_minute > 0),
  created_by          bigint references workers (id),
  created_at          timestamptz not null,
  revoked_by          bigint references workers (id),
  revoked_at          timestamptz,
  last_used_at        timestamptz,
  last_used_address   text,
  version             integer not null default 1
);
create unique index api_keys_name on api_keys (lower(name)) where revoked_at is null;
create index api_keys_created_by on api_keys (created_by) where created_by is not null;
create index api_keys_revoked_by on api_keys (revoked_by) where revoked_by is not null;

-- One without an end, which is the current one, and those before it with the end of their overlap.
create table api_key_secrets (
  id         bigint generated always as identity primary key,
  api_key_id bigint not null references api_keys (id),
  hash       bytea not null check (length(hash) = 32),
  created_by bigint references workers (id),
  created_at timestamptz not null,
  expires_at timestamptz
);
create index api_key_secrets_key on api_key_secrets (api_key_id, id);
create unique index api_key_secrets_current on api_key_secrets (api_key_id) where expires_at is null;
create index api_key_secrets_created_by on api_key_secrets (created_by) where created_by is not null;

-- Days in company time.
create table api_key_usage (
  api_key_id bigint not null references api_keys (id),
  day        date not null,
  calls      bigint not null,
  errors     bigint not null,
  primary key (api_key_id, day)
);

-- Calls with a key from an environment variable, which API keys replace.
create table deprecated_key_usage (
  variable text not null,
  day      date not null,
  calls    bigint not null,
  primary key (variable, day)
);

-- The reply to a program is kept under its API key in place of a worker.
alter table idempotency_keys
  add column api_key_id bigint,
  drop constraint idempotency_keys_pkey,
  alter column worker_id drop not null,
  add constraint idempotency_keys_worker unique (worker_id, key),
  add constraint idempotency_keys_api_key unique (api_key_id, key),
  add constraint idempotency_keys_one_caller check (num_nonnulls(worker_id, api_key_id) = 1);
