-- Response targets, the promises made to customers, and the times of each ticket.

-- Append-only: each promise names the version that it was computed with.
create table promise_settings (
  version   integer primary key check (version > 0),
  -- From Sunday on: {"from": "09:00", "to": "17:00"}, or null for a closed day.
  week      jsonb not null,
  holidays  jsonb not null,
  -- Minutes of business hours by kind of response, priority and rank; null for no promise.
  targets   jsonb not null,
  time_zone text not null,
  -- Null when the time zone of the company changed.
  saved_by  bigint references workers (id),
  saved_at  timestamptz not null
);
create index promise_settings_saved_by on promise_settings (saved_by) where saved_by is not null;

-- One row for each time that a customer began to wait. It follows from the thread: started_at is the customer's message,
-- ended_at our response, and spent_ms the business time between them without pauses.
create table ticket_promises (
  id            bigint generated always as identity primary key,
  ticket_id     bigint not null references tickets (id) on delete cascade,
  kind          text not null check (kind in ('first', 'next')),
  started_at    timestamptz not null,
  priority      text not null check (priority in ('low', 'medium', 'high')),
  rank          text not null check (rank in ('Bronze', 'Silver', 'Gold', 'Platinum')),
  version       integer not null references promise_settings (version),
  target_ms     bigint,
  -- Business time until running_since. Null while it is paused or ended.
  spent_ms      bigint not null,
  running_since timestamptz,
  due_at        timestamptz,
  soon_at       timestamptz,
  ended_at      timestamptz,
  outcome       text check (outcome in ('kept', 'missed', 'unanswered')),
  -- When people were told that it is soon due, and that it is late.
  warned_at     timestamptz,
  escalated_at  timestamptz,
  check (running_since is null or ended_at is null),
  check (outcome is null or ended_at is not null and target_ms is not null)
);
create unique index ticket_promises_start on ticket_promises (ticket_id, started_at);
create unique index ticket_promises_open on ticket_promises (ticket_id) where ended_at is null;
create index ticket_promises_version on ticket_promises (version) where ended_at is null;
create index ticket_promises_soon on ticket_promises (soon_at) where running_since is not null and warned_at is null;
create index ticket_promises_due on ticket_promises (due_at) where running_since is not null and escalated_at is null;

-- What reports and promises need of a ticket. Narrow, so that a ticket's many indexes are not written again.
create table ticket_times (
  ticket_id       bigint primary key references tickets (id) on delete cascade,
  opened_at       timestamptz not null,
  opened_priority text not null,
  channel         text not null default 'api' check (channel in ('email', 'worker', 'api')),
  first_reply_at  timestamptz,
  closed_at       timestamptz,
  -- Set by a trigger when the ticket changes, cleared by whoever computes its promises: the writer or, a minute later, the
  -- schedule.
  is_stale        boolean not null default true
);
create index ticket_times_opened on ticket_times (opened_at, ticket_id);
create index ticket_times_replied on ticket_times (first_reply_at, ticket_id) where first_reply_at is not null;
create index ticket_times_closed on ticket_times (closed_at, ticket_id) where closed_at is not null;
create index ticket_times_stale on ticket_times (ticket_id) where is_stale;

create function stale_ticket_times() returns trigger language plpgsql as $$
begin
  insert into ticket_times (ticket_id, opened_at, opened_priority) values (new.id, new.created_at, new.priority)
  on conflict (ticket_id) do update set is_stale = true where not ticket_times.is_stale;
  return null;
end $$;

insert into ticket_times (ticket_id, opened_at, opened_priority, channel, first_reply_at, closed_at, is_stale)
select t.id, t.created_at, t.priority,
  case when t.created_by is not null then 'worker' when m.is_email or b.ticket_id is not null then 'email' else 'api' end,
  m.first_reply_at, case when t.status = 'closed' then coalesce(e.closed_at, t.updated_at) end, false
from tickets t
left join (select ticket_id, min(created_at) filter (where not from_customer) as first_reply_at, bool_or(inbound_key is not null) as is_email
  from ticket_messages group by 1) m on m.ticket_id = t.id
left join (select ticket_id, max(created_at) as closed_at from ticket_events where kind = 'status' and text = 'Set to Closed' group by 1) e
  on e.ticket_id = t.id
left join ticket_mailboxes b on b.ticket_id = t.id;

create trigger tickets_stale_insert after insert on tickets for each row execute function stale_ticket_times();
create trigger tickets_stale_update after update on tickets for each row
  when ((old.status, old.priority, old.waiting_since, old.snoozed_at, old.merged_into_id, old.message_count)
    is distinct from (new.status, new.priority, new.waiting_since, new.snoozed_at, new.merged_into_id, new.message_count))
  execute function stale_ticket_times();

alter table tickets add column is_due_soon boolean not null default false;
create index tickets_due_soon on tickets (id) where is_due_soon;

-- Whoever writes the row: nothing is due soon while nobody waits, or while the ticket is closed or snoozed.
create function leave_due_soon() returns trigger language plpgsql as $$
begin
  new.is_due_soon := false;
  return new;
end $$;
create trigger tickets_leave_due_soon before update on tickets for each row
  when (new.is_due_soon and (new.status = 'closed' or new.waiting_since is null or new.snoozed_at is not null
    or new.merged_into_id is not null))
  execute function leave_due_soon();

alter table ticket_views
  drop constraint ticket_views_queue_check,
  add constraint ticket_views_queue_check check (queue in ('mine', 'unassigned', 'breaching', 'waiting', 'high', 'snoozed'));

-- The same counts as before, and those of tickets that are due soon.
drop trigger tickets_count_insert on tickets;
drop trigger tickets_count_update on tickets;
drop trigger tickets_count_delete on tickets;
drop function count_tickets();
drop function counts_of_tickets(text, text, text, bigint[], timestamptz, timestamptz, bigint, bigint);
delete from kept_counts where scope = 'tickets' or scope like 'assignee %' or scope like 'cell %';

create function counts_of_tickets(
  status text, priority text, kind text, tags bigint[], waiting_since timestamptz, snoozed_at timestamptz, assignee_id bigint,
  merged_into_id bigint, is_due_soon boolean
) returns table (scope text, key text) language sql immutable as $$
  select * from (
    select 'tickets', status
    union all select 'tickets', k from (values
      (case when waiting_since is not null and snoozed_at is null then 'waiting' end),
      (case when priority = 'high' and status = 'open' then 'high_open' end),
      (case when priority = 'high' and snoozed_at is null then 'high' end),
      (case when assignee_id is null and snoozed_at is null then 'unassigned' end),
      (case when is_due_soon then 'breaching' end),
      (case when snoozed_at is not null then 'snoozed' end)) v (k) where status <> 'closed'
    union all select 'assignee ' || assignee_id, k from (values
      (status), (case when snoozed_at is null then 'active' end)) v (k) where status <> 'closed'
    union all select concat_ws(' ', 'cell', tag, status, priority, coalesce(kind, '-'), coalesce(assignee_id::text, '-'),
      case when status <> 'closed' and waiting_since is not null then 'waiting' else '-' end,
      case when status <> 'closed' and snoozed_at is not null then 'snoozed' else '-' end,
      case when is_due_soon then 'soon' else '-' end), 'n' from unnest(0::bigint || tags) tag
  ) c (scope, key)
  where merged_into_id is null and c.scope is not null and c.key is not null
$$;
select start_counting('tickets', 'status, priority, kind, tags, waiting_since, snoozed_at, assignee_id, merged_into_id, is_due_soon');
