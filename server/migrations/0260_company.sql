-- The company's own settings, its mail server, and who keeps a copy of the backup key.
create table company (
  id              smallint primary key default 1 check (id = 1),
  name            text not null default '',
  legal_name      text not null default '',
  address_line    text not null default '',
  city            text not null default '',
  state           text not null default '',
  postal_code     text not null default '',
  -- Of the postal code; where maps start.
  latitude        double precision,
  longitude       double precision,
  phone           text not null default '',
  reply_to        text not null default '',
  time_zone       text not null default 'America/Los_Angeles',
  week_starts_on  text not null default 'monday' check (week_starts_on in ('sunday', 'monday')),
  -- The name of the logo's file in the storage.
  logo            text,
  logo_type       text,
  logo_bytes      integer,
  -- Null until someone fills in the profile.
  saved_at        timestamptz,
  guide_hidden_at timestamptz,
  guide_hidden_by bigint references workers (id),
  version         integer not null default 0,
  check (num_nonnulls(logo, logo_type, logo_bytes) in (0, 3)),
  check ((guide_hidden_at is null) = (guide_hidden_by is null))
);
create index company_guide_hidden_by on company (guide_hidden_by) where guide_hidden_by is not null;
insert into company default values;

-- SMTP_URL and MAIL_FROM win over these settings.
create table mail_server (
  id           smallint primary key default 1 check (id = 1),
  -- Empty: no mail server is set up here.
  host         text not null default '',
  port         integer not null default 587 check (port between 1 and 65535),
  security     text not null default 'starttls' check (security in ('tls', 'starttls', 'none')),
  username     text not null default '',
  password     bytea,
  from_address text not null default '',
  version      integer not null default 0,
  -- The last test email: to which server it was given, and what the server answered.
  tested_at     timestamptz,
  tested_by     bigint references workers (id),
  tested_server text,
  test_ok       boolean,
  test_summary  text,
  test_answer   text,
  check (num_nonnulls(tested_at, tested_by, tested_server, test_ok, test_summary, test_answer) in (0, 6))
);
create index mail_server_tested_by on mail_server (tested_by) where tested_by is not null;
insert into mail_server default values;

-- A new key needs a new confirmation.
create table backup_key_copies (
  key_id       text primary key,
  confirmed_by bigint not null references workers (id),
  confirmed_at timestamptz not null
);
create index backup_key_copies_confirmed_by on backup_key_copies (confirmed_by);

-- Days of payroll transactions follow the company's time zone.
create or replace function company_day(at timestamptz) returns date language sql stable parallel safe
  as $$ select (at at time zone (select time_zone from company))::date $$;

create or replace function add_payroll_transaction_days() returns trigger language plpgsql as $$
declare zone text := (select time_zone from company);
begin
  insert into payroll_transaction_days as t (day, transaction_type, status, transactions)
  select (created_at at time zone zone)::date, transaction_type, status, count(*) from added group by 1, 2, 3
  on conflict (day, transaction_type, status) do update set transactions = t.transactions + excluded.transactions;
  return null;
end $$;
create or replace function take_payroll_transaction_days() returns trigger language plpgsql as $$
declare zone text := (select time_zone from company);
begin
  update payroll_transaction_days t set transactions = t.transactions - o.transactions
  from (select (created_at at time zone zone)::date as day, transaction_type, status, count(*) as transactions from taken group by 1, 2, 3) o
  where t.day = o.day and t.transaction_type = o.transaction_type and t.status = o.status;
  return null;
end $$;
-- A writer that has read the old zone finishes before the count, or waits for it and reads the new one.
create function recount_payroll_transaction_days() returns trigger language plpgsql as $$
begin
  lock table payroll_transactions in share row exclusive mode;
  delete from payroll_transaction_days;
  insert into payroll_transaction_days (day, transaction_type, status, transactions)
  select (created_at at time zone new.time_zone)::date, transaction_type, status, count(*) from payroll_transactions group by 1, 2, 3;
  return null;
end $$;
create trigger company_time_zone after update of time_zone on company
  for each row when (old.time_zone is distinct from new.time_zone) execute function recount_payroll_transaction_days();
