-- Completed on-site sessions are paid by the hour, once, from the day on which a rate is first set.
alter table payroll_settings add column onsite_hourly_pay numeric(18, 4) check (onsite_hourly_pay >= 0);

alter table payroll_entries add column onsite_session_id bigint references onsite_sessions (id),
  add constraint payroll_entries_one_session check (booking_id is null or onsite_session_id is null);
create unique index payroll_entries_onsite_session on payroll_entries (onsite_session_id) where onsite_session_id is not null;

-- As before, and the session that an entry pays for stays.
create or replace function guard_payroll_entry() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'payroll entries are never removed' using errcode = 'restrict_violation';
  end if;
  if old.status <> 'pending' then
    raise exception 'a payroll entry that is % is never changed', old.status using errcode = 'restrict_violation';
  end if;
  if (new.id, new.earner_id, new.type, new.sub_type, new.amount, new.withheld, new.employer_tax, new.pay_period_id, new.work_date, new.pay_date, new.booking_id, new.onsite_session_id, new.created_at)
    is distinct from
    (old.id, old.earner_id, old.type, old.sub_type, old.amount, old.withheld, old.employer_tax, old.pay_period_id, old.work_date, old.pay_date, old.booking_id, old.onsite_session_id, old.created_at) then
    raise exception 'only the status of a payroll entry changes' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
