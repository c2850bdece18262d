-- Round robin of queues, and workers who are out of office.

create table round_robins (
  id         bigint generated always as identity primary key,
  -- The saved view whose tickets it assigns; null for all unassigned tickets.
  view_id    bigint references ticket_views (id) on delete cascade,
  is_on      boolean not null,
  -- A worker with so many open tickets gets no more.
  max_open   integer not null check (max_open between 1 and 200),
  changed_at timestamptz not null,
  version    integer not null default 1
);
create unique index round_robins_once on round_robins (coalesce(view_id, 0));
create index round_robins_view on round_robins (view_id) where view_id is not null;

create table round_robin_members (
  round_robin_id bigint not null references round_robins (id) on delete cascade,
  worker_id      bigint not null references workers (id),
  -- When the last ticket was assigned to them: with equal loads, who waited longest is next.
  last_at        timestamptz,
  primary key (round_robin_id, worker_id)
);
create index round_robin_members_worker on round_robin_members (worker_id);

-- Workers who take no new tickets for now.
create table paused_workers (
  worker_id bigint primary key references workers (id),
  since     timestamptz not null
);

create table absences (
  id             bigint generated always as identity primary key,
  worker_id      bigint not null references workers (id),
  starts_on      date not null,
  ends_on        date not null,
  -- Who takes over; null for the queue.
  substitute_id  bigint references workers (id),
  -- Open tickets go over at the start. Otherwise a ticket goes over when its customer writes.
  hands_over     boolean not null,
  -- When that was done, or found unnecessary.
  handed_over_at timestamptz,
  created_by     bigint not null references workers (id),
  created_at     timestamptz not null,
  check (ends_on >= starts_on),
  check (substitute_id <> worker_id),
  constraint absences_do_not_overlap exclude using gist (worker_id with =, daterange(starts_on, ends_on, '[]') with &&)
);
create index absences_worker on absences (worker_id, ends_on);
create index absences_ending on absences (ends_on, id);
create index absences_to_start on absences (starts_on) where handed_over_at is null;
create index absences_substitute on absences (substitute_id) where substitute_id is not null;
create index absences_created_by on absences (created_by);

create index tickets_unassigned on tickets (id)
  where assignee_id is null and status <> 'closed' and snoozed_at is null and merged_into_id is null;
