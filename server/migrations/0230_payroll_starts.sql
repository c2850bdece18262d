-- The day on which payroll starts: sessions before it make no wages. One value for the company; the latest row counts, and
-- without a row there is no such day. Rows share the version counter of the settings, so that a change of either one is seen.
create table payroll_starts (
  version    int primary key default nextval('payroll_settings_version_seq'),
  starts_on  date,
  changed_at timestamptz not null,
  worker_id  bigint references workers (id)
);
create index payroll_starts_worker on payroll_starts (worker_id);
create trigger payroll_starts_0_version before insert on payroll_starts for each statement execute function raise_payroll_version();
create trigger payroll_starts_append_only before update or delete on payroll_starts for each row execute function refuse_change();
revoke update, delete, truncate on payroll_starts from current_user;
