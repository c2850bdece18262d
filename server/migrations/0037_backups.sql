-- Backups of the product, their checks, and the copies of files that they lean on. Neither table is part of a backup:
-- they say what lies in the backup storage, which outlives the database.
create table backups (
  id           bigint generated always as identity primary key,
  -- `adopted`: found in the storage, of a database before this one.
  kind         text not null check (kind in ('nightly', 'manual', 'command', 'adopted')),
  state        text not null default 'waiting'
    check (state in ('waiting', 'copying', 'checking', 'verified', 'unverified', 'failed')),
  worker_id    bigint references workers (id) on delete set null,
  created_at   timestamptz not null,
  started_at   timestamptz,
  -- The moment whose state the backup holds.
  taken_at     timestamptz,
  ended_at     timestamptz,
  beat_at      timestamptz not null,
  tries        int not null default 0,
  -- The name in the backup storage, once the whole file is there.
  file         text unique,
  size         bigint,
  key_id       text,
  tables       int,
  rows         bigint,
  files        int,
  summary      jsonb,
  progress     jsonb,
  verified_at  timestamptz,
  error        text
);
-- One at a time, refused by the database.
create unique index backups_one_at_a_time on backups ((true)) where state in ('waiting', 'copying', 'checking');
create index backups_newest on backups (created_at desc, id desc);
create index backups_verified on backups (taken_at desc) where verified_at is not null;
create index backups_worker on backups (worker_id);

-- What is known of a stored file, so that an unchanged one is neither read nor copied again.
create table backup_files (
  key        text primary key,
  size       bigint not null,
  changed_at timestamptz not null,
  sha256     text not null
);
