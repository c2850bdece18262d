-- A day is attached rather than made in place: that waits for no reader or writer of other days, and none waits for it.
create or replace function ensure_event_partition(day date) returns void language plpgsql as $$
declare
  name text := 'events_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(name) is not null then return; end if;
  -- Two processes at midnight: the second waits and finds the day made. It looks into the catalogue itself: what
  -- to_regclass remembers may be older than the wait.
  perform pg_advisory_xact_lock(7214030, 1);
  if exists (select from pg_class where relname = name and relnamespace = (select relnamespace from pg_class where oid = 'events'::regclass)) then return; end if;
  execute format('create table %I (like events including defaults including constraints)', name);
  execute format('create unique index %I on %I (id)', name || '_id', name);
  execute format('alter table events attach partition %I for values from (%L) to (%L)',
    name, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end $$;
