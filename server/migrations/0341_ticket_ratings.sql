-- What customers say about closed tickets.

create table rating_settings (
  id         smallint primary key default 1 check (id = 1),
  is_on      boolean not null default false,
  -- Tickets that were closed before are not asked about.
  since      timestamptz,
  changed_by bigint references workers (id),
  version    integer not null default 0,
  check (is_on = (since is not null))
);
create index rating_settings_changed_by on rating_settings (changed_by) where changed_by is not null;
insert into rating_settings default values;

-- One row for each ticket that was considered, so that nobody is asked twice.
create table ticket_ratings (
  ticket_id  bigint primary key references tickets (id) on delete cascade,
  created_at timestamptz not null,
  -- Null when the customer must not be asked.
  asked_at   timestamptz,
  outbox_key text,
  rating     text check (rating in ('good', 'bad')),
  comment    text check (length(comment) between 1 and 2000),
  rated_at   timestamptz,
  check ((asked_at is null) = (outbox_key is null)),
  check ((rating is null) = (rated_at is null)),
  check (comment is null or rating is not null)
);
create index ticket_ratings_rated on ticket_ratings (rated_at, ticket_id) where rated_at is not null;

alter table ticket_events
  drop constraint ticket_events_kind_check,
  add constraint ticket_events_kind_check
    check (kind in ('opened', 'status', 'assigned', 'priority', 'merged', 'kind', 'tags', 'snoozed', 'rating', 'linked'));

alter table email_logs
  drop constraint email_logs_type_check,
  add constraint email_logs_type_check
    check (type in ('ticket_confirmation', 'ticket_reply', 'verification', 'notification', 'booking', 'receipt', 'outreach', 'rating'));
