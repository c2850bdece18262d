-- Why and by whom a stretcher was deactivated, and that nobody inactive is sent to a business.

alter table stretchers
  add column deactivated_reason text check (length(deactivated_reason) between 1 and 500),
  add column deactivated_by bigint references workers (id),
  add check (deactivated_reason is null or deactivated_at is not null),
  add check (deactivated_by is null or deactivated_at is not null);
create index stretchers_deactivated_by on stretchers (deactivated_by) where deactivated_by is not null;
create index stretchers_name on stretchers (lower(first_name || ' ' || last_name), id);
create index stretchers_hired on stretchers (hired_at, id);
create index stretchers_status on stretchers (status);

-- Scheduling looks at the stretcher before it takes the lock: whoever is deactivated in between is refused here.
create function refuse_inactive_stretcher() returns trigger language plpgsql as $$
begin
  if exists (select from stretchers where id = new.stretcher_id and status = 'inactive' for share) then
    raise exception 'The stretcher is inactive' using errcode = 'restrict_violation', constraint = 'onsite_sessions_stretcher_works';
  end if;
  return new;
end $$;
create trigger onsite_sessions_stretcher_works before insert or update of stretcher_id, starts_at on onsite_sessions
  for each row when (new.cancelled_at is null) execute function refuse_inactive_stretcher();
