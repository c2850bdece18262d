-- Saved replies with actions, and tasks of tickets.

alter table saved_replies
  -- What happens when the reply is sent with its actions.
  add column actions jsonb not null default '[]',
  -- How often it was sent with its actions.
  add column uses integer not null default 0;

create table ticket_tasks (
  id                bigint generated always as identity primary key,
  ticket_id         bigint not null references tickets (id),
  -- Who does it.
  worker_id         bigint not null references workers (id),
  kind              text not null check (kind in ('callback', 'move_booking', 'cancel_booking')),
  due_on            date not null,
  booking_id        bigint references bookings (id),
  -- The start of the booking when it was to be moved, and the start that the customer asks for.
  booking_starts_at timestamptz,
  wanted_at         timestamptz,
  created_by        bigint not null references workers (id),
  created_at        timestamptz not null,
  done_at           timestamptz,
  done_by           bigint references workers (id),
  check ((kind = 'callback') = (booking_id is null)),
  check ((booking_id is null) = (booking_starts_at is null)),
  check ((kind = 'move_booking') = (wanted_at is not null))
);
create index ticket_tasks_ticket on ticket_tasks (ticket_id, id);
create index ticket_tasks_open on ticket_tasks (worker_id, due_on, id) where done_at is null;
create index ticket_tasks_booking on ticket_tasks (booking_id) where booking_id is not null;
create index ticket_tasks_created_by on ticket_tasks (created_by);
create index ticket_tasks_done_by on ticket_tasks (done_by) where done_by is not null;
