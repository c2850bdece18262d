-- Tickets that a worker marked unread, until they open them again.
create table ticket_unread (
  worker_id  bigint not null references workers (id),
  ticket_id  bigint not null references tickets (id) on delete cascade,
  created_at timestamptz not null,
  primary key (worker_id, ticket_id)
);
create index ticket_unread_ticket on ticket_unread (ticket_id);
