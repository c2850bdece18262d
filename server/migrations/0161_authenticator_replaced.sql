-- The secret of a new authenticator app between the scan and its first code; the one in force stays until then.
create table totp_replacements (
  worker_id  bigint primary key references workers (id) on delete cascade,
  secret     bytea not null,
  tries      int not null default 0,
  created_at timestamptz not null
);
create index totp_replacements_created on totp_replacements (created_at);
