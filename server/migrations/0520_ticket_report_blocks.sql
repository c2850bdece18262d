-- What the support report reads instead of every ticket: the times and properties of 256 tickets with neighboring ids in one
-- packed value. Neither time zones nor business hours are in it.
create table ticket_report_blocks (
  -- The ids of its tickets, divided by 256.
  block    bigint primary key,
  -- Null until a schedule has read the tickets.
  facts    bytea,
  -- The first and the last moment that a figure can count.
  first_at timestamptz,
  last_at  timestamptz,
  check ((facts is null) = (first_at is null) and (facts is null) = (last_at is null))
);
-- It hardly compresses.
alter table ticket_report_blocks alter column facts set storage external;

-- Tickets that changed since their block was packed, from any writer. Rows are only added, so that writers never wait; the
-- schedule removes them. Without a foreign key, because deleted tickets are noted too.
create table ticket_report_changes (
  ticket_id bigint not null,
  id        bigint generated always as identity,
  primary key (ticket_id, id)
);

create function note_report_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'tickets' then
    insert into ticket_report_changes (ticket_id) values (new.id);
  elsif tg_op = 'DELETE' then
    insert into ticket_report_changes (ticket_id) values (old.ticket_id);
  else
    insert into ticket_report_changes (ticket_id) values (new.ticket_id);
  end if;
  return null;
end $$;

create trigger tickets_report_update after update on tickets for each row
  when ((old.assignee_id, old.kind, old.tags, old.merged_into_id)
    is distinct from (new.assignee_id, new.kind, new.tags, new.merged_into_id))
  execute function note_report_change();
create trigger ticket_times_report after insert or delete on ticket_times for each row execute function note_report_change();
create trigger ticket_times_report_update after update on ticket_times for each row
  when ((old.opened_at, old.channel, old.first_reply_at, old.closed_at)
    is distinct from (new.opened_at, new.channel, new.first_reply_at, new.closed_at))
  execute function note_report_change();
create trigger ticket_promises_report_insert after insert on ticket_promises for each row
  when (new.outcome is not null) execute function note_report_change();
create trigger ticket_promises_report_update after update on ticket_promises for each row
  when ((old.outcome, old.ended_at) is distinct from (new.outcome, new.ended_at)) execute function note_report_change();
create trigger ticket_promises_report_delete after delete on ticket_promises for each row
  when (old.outcome is not null) execute function note_report_change();
create trigger ticket_ratings_report_insert after insert on ticket_ratings for each row
  when (new.rating is not null) execute function note_report_change();
create trigger ticket_ratings_report_update after update on ticket_ratings for each row
  when ((old.rating, old.rated_at) is distinct from (new.rating, new.rated_at)) execute function note_report_change();
