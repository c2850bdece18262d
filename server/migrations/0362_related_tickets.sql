-- Links between tickets, and workers who watch one.

create table ticket_links (
  -- The older ticket of a split or a follow-up.
  from_id    bigint not null references tickets (id) on delete cascade,
  to_id      bigint not null references tickets (id) on delete cascade,
  kind       text not null check (kind in ('split', 'follow_up', 'related')),
  created_by bigint references workers (id),
  created_at timestamptz not null,
  primary key (from_id, to_id),
  check (from_id <> to_id)
);
create index ticket_links_to on ticket_links (to_id);
create index ticket_links_created_by on ticket_links (created_by) where created_by is not null;

create table ticket_watchers (
  ticket_id  bigint not null references tickets (id) on delete cascade,
  worker_id  bigint not null references workers (id),
  created_at timestamptz not null,
  -- What happened before is known.
  seen_at    timestamptz not null,
  primary key (ticket_id, worker_id)
);
create index ticket_watchers_worker on ticket_watchers (worker_id);

alter table ticket_events
  drop constraint ticket_events_kind_check,
  add constraint ticket_events_kind_check check (
    kind in ('opened', 'status', 'assigned', 'priority', 'merged', 'kind', 'tags', 'snoozed', 'rating', 'linked'));
