-- Which transaction changed the figures last. Whoever computed something of them asks here whether it still holds; the
-- trigger means that no writer can forget to say so.
create table event_rollup_version (
  only_row boolean primary key default true check (only_row),
  version  xid8 not null
);

create function note_rollup_version() returns trigger language plpgsql as $$
begin
  insert into event_rollup_version (version) values (pg_current_xact_id())
  on conflict (only_row) do update set version = excluded.version;
  return null;
end $$;

create trigger event_rollups_version after insert or update or delete or truncate on event_rollups
  for each statement execute function note_rollup_version();

insert into event_rollup_version (version) values (pg_current_xact_id());
