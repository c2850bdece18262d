-- A tax deposit is written as pending on pay day; somebody then says whether it reached the tax offices.
drop trigger payroll_transactions_append_only on payroll_transactions;
create function guard_payroll_transaction() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'payroll transactions are never removed' using errcode = 'restrict_violation';
  end if;
  if old.transaction_type <> 'tax_deposit' or old.status = 'completed' or new.status = 'pending'
    or (new.id, new.transaction_type, new.amount, new.earner_id, new.pay_period_id, new.created_at)
      is distinct from (old.id, old.transaction_type, old.amount, old.earner_id, old.pay_period_id, old.created_at) then
    raise exception 'only the status of an unsettled tax deposit changes' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payroll_transactions_guard before update or delete on payroll_transactions
  for each row execute function guard_payroll_transaction();
grant update (status) on payroll_transactions to current_user;

create function move_payroll_transactions() returns trigger language plpgsql as $$
begin
  update payroll_transaction_totals t set transactions = t.transactions - o.transactions
  from (select (created_at at time zone 'UTC')::date as day, transaction_type, status, count(*) as transactions
    from taken group by 1, 2, 3) o
  where t.day = o.day and t.transaction_type = o.transaction_type and t.status = o.status;
  insert into payroll_transaction_totals as t (day, transaction_type, status, transactions)
  select (created_at at time zone 'UTC')::date, transaction_type, status, count(*) from added group by 1, 2, 3
  on conflict (day, transaction_type, status) do update set transactions = t.transactions + excluded.transactions;
  return null;
end $$;
create trigger payroll_transactions_move after update on payroll_transactions
  referencing old table as taken new table as added for each statement execute function move_payroll_transactions();
