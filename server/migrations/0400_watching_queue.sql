-- The queue of watched tickets: which watched tickets are open, and how many each worker watches.

alter table ticket_watchers add column is_open boolean not null default true;
update ticket_watchers w set is_open = false from tickets t
where t.id = w.ticket_id and (t.status = 'closed' or t.merged_into_id is not null);

-- Open ones first, so that reading them costs the same however many were closed.
create index ticket_watchers_open on ticket_watchers (worker_id, is_open desc, created_at desc);
drop index ticket_watchers_worker;

-- The lock makes a concurrent change of the ticket wait, so that it finds this row.
create function open_watched() returns trigger language plpgsql as $$
begin
  select t.status <> 'closed' and t.merged_into_id is null into new.is_open from tickets t where t.id = new.ticket_id for share;
  new.is_open := coalesce(new.is_open, false);
  return new;
end $$;
create trigger ticket_watchers_open before insert on ticket_watchers for each row execute function open_watched();

create function follow_watched() returns trigger language plpgsql as $$
begin
  update ticket_watchers set is_open = new.status <> 'closed' and new.merged_into_id is null where ticket_id = new.id;
  return null;
end $$;
create trigger tickets_follow_watched after update on tickets for each row
  when ((old.status <> 'closed' and old.merged_into_id is null) <> (new.status <> 'closed' and new.merged_into_id is null))
  execute function follow_watched();

create function counts_of_ticket_watchers(worker_id bigint, is_open boolean)
returns table (scope text, key text) language sql immutable as $$
  select 'watcher ' || worker_id, 'open' where is_open
$$;
select start_counting('ticket_watchers', 'worker_id, is_open');
