-- Payroll transactions are filtered by the days of the company, like everything else in payroll. The counts by UTC day stay until
-- no process of an earlier version reads them.

-- The zone is the contract's COMPANY_ZONE; a test compares both.
create function company_day(at timestamptz) returns date language sql immutable parallel safe
  as $$ select (at at time zone 'America/Los_Angeles')::date $$;

create table payroll_transaction_days (
  day              date not null,
  transaction_type text not null,
  status           text not null,
  transactions     bigint not null,
  primary key (day, transaction_type, status)
);

lock table payroll_transactions in share row exclusive mode;
insert into payroll_transaction_days (day, transaction_type, status, transactions)
select company_day(created_at), transaction_type, status, count(*) from payroll_transactions group by 1, 2, 3;

create function add_payroll_transaction_days() returns trigger language plpgsql as $$
begin
  insert into payroll_transaction_days as t (day, transaction_type, status, transactions)
  select company_day(created_at), transaction_type, status, count(*) from added group by 1, 2, 3
  on conflict (day, transaction_type, status) do update set transactions = t.transactions + excluded.transactions;
  return null;
end $$;
create function take_payroll_transaction_days() returns trigger language plpgsql as $$
begin
  update payroll_transaction_days t set transactions = t.transactions - o.transactions
  from (select company_day(created_at) as day, transaction_type, status, count(*) as transactions from taken group by 1, 2, 3) o
  where t.day = o.day and t.transaction_type = o.transaction_type and t.status = o.status;
  return null;
end $$;
-- Names order triggers: what changed is taken from its old status before it is added to the new one.
create trigger payroll_transactions_days_0_take after update on payroll_transactions
  referencing old table as taken for each statement execute function take_payroll_transaction_days();
create trigger payroll_transactions_days_1_add after update on payroll_transactions
  referencing new table as added for each statement execute function add_payroll_transaction_days();
create trigger payroll_transactions_days_add after insert on payroll_transactions
  referencing new table as added for each statement execute function add_payroll_transaction_days();
