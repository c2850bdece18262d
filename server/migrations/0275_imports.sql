-- Files that are imported: what was uploaded, the plan of each row, and what became of it.
create table imports (
  id           bigint generated always as identity primary key,
  resource     text not null check (resource in
    ('customers', 'bookings', 'transactions', 'credits', 'stretchers', 'leads', 'businesses', 'allowed-emails', 'tickets',
    'payroll/history')),
  source       text not null,
  state        text not null check (state in
    ('uploaded', 'checking', 'checked', 'applying', 'applied', 'canceled', 'failed', 'undoing', 'undone')),
  file_name    text not null,
  -- Where the file is stored; null once it was deleted.
  file_key     text,
  file_bytes   bigint not null,
  -- SHA-256 of the file.
  file_digest  text not null,
  encoding     text not null check (encoding in ('utf-8', 'utf-16le', 'utf-16be', 'windows-1252')),
  delimiter    text not null check (delimiter in (',', ';', E'\t')),
  row_count    integer not null,
  -- What was found in each column: its header, how many rows have a value, and how its dates are written.
  profile      jsonb not null,
  columns      jsonb,
  dates        text check (dates in ('mdy', 'dmy')),
  counts       jsonb not null default '{}',
  reasons      jsonb not null default '[]',
  -- Of the check, the apply or the undo that runs.
  done         integer not null default 0,
  total        integer not null default 0,
  -- The last line whose plan was applied.
  line_reached integer not null default 0,
  error        text,
  -- Without it, nothing leaves because of the import: no email, text, webhook or wage.
  tells_people boolean not null default false,
  created_by   bigint references workers (id),
  created_at   timestamptz not null,
  started_at   timestamptz,
  checked_at   timestamptz,
  applied_at   timestamptz,
  undone_at    timestamptz,
  undo_until   timestamptz,
  -- The process that works on it, and its last sign of life by the database's clock.
  runner       uuid,
  beat_at      timestamptz
);
create index imports_created_by on imports (created_by) where created_by is not null;
create index imports_newest on imports (resource, id);
create index imports_same_file on imports (file_digest, resource);
create index imports_running on imports (id) where state in ('checking', 'applying', 'undoing');
create index imports_with_file on imports (created_at) where file_key is not null;

create table import_rows (
  import_id     bigint not null references imports (id) on delete cascade,
  line          integer not null,
  state         text not null check (state in ('create', 'update', 'unchanged', 'skipped', 'rejected', 'changed_since')),
  outcome       text check (outcome in ('applied', 'undone', 'kept')),
  -- Whom or what the row is about, and the email address that it contains.
  subject       text,
  contact       text,
  reason        text,
  detail        text,
  field         text,
  value         text,
  record_id     bigint,
  -- The number of the record's last change at the check, and the one of the apply (record_changes.seq).
  version       bigint,
  after_version bigint,
  -- An external id that the import gave to a record that existed.
  attached_as   text,
  -- The record before an update, to restore it.
  before        jsonb,
  changes       jsonb,
  -- The account that the record is or belongs to, for its erasure.
  customer_id   bigint,
  primary key (import_id, line)
);
create index import_rows_by_state on import_rows (import_id, state, line);
create index import_rows_by_outcome on import_rows (import_id, outcome, line) where outcome is not null;
create index import_rows_by_reason on import_rows (import_id, reason, line) where reason is not null;
create index import_rows_contact on import_rows (contact) where contact is not null;
create index import_rows_customer on import_rows (customer_id) where customer_id is not null;

-- Column maps that people saved.
create table import_maps (
  id         bigint generated always as identity primary key,
  resource   text not null check (resource in
    ('customers', 'bookings', 'transactions', 'credits', 'stretchers', 'leads', 'businesses', 'allowed-emails', 'tickets',
    'payroll/history')),
  name       text not null,
  columns    jsonb not null,
  dates      text check (dates in ('mdy', 'dmy')),
  created_by bigint references workers (id),
  created_at timestamptz not null,
  constraint import_maps_once unique (resource, name)
);
create index import_maps_created_by on import_maps (created_by) where created_by is not null;

-- A completed booking of a quiet import makes no wages.
alter table bookings add column makes_wages boolean not null default true;
