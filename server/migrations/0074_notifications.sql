-- What is sent to many customers at once, and what became of it for each of them.

create table notifications (
  id             bigint generated always as identity primary key,
  title          text not null check (length(title) between 1 and 150),
  body           text not null check (length(body) between 1 and 5000),
  channel        text not null check (channel in ('mail', 'text')),
  audience       jsonb not null,
  -- As it read when it was made: a zone may be renamed.
  audience_text  text not null,
  status         text not null check (status in ('scheduled', 'sending', 'sent', 'failed', 'cancelled', 'undone')),
  send_at        timestamptz not null,
  -- Whether it was meant for later, or only waits until it can no longer be undone.
  is_for_later   boolean not null,
  created_by     bigint not null references workers (id),
  created_at     timestamptz not null,
  started_at     timestamptz,
  -- When the last message was handed to its channel.
  handed_over_at timestamptz,
  ended_at       timestamptz,
  stopped_by     bigint references workers (id),
  -- Written when it ends and as late reports come in; counted afresh while it is sending.
  people         int not null check (people >= 0),
  waiting        int not null default 0,
  sent           int not null default 0,
  delivered      int not null default 0,
  failed         int not null default 0,
  opted_out      int not null default 0,
  check ((status = 'scheduled') = (started_at is null and stopped_by is null)),
  check ((status in ('sent', 'failed', 'cancelled', 'undone')) = (ended_at is not null))
);
create index notifications_recent on notifications (created_at desc, id desc);
create index notifications_status on notifications (status, created_at desc, id desc);
create index notifications_due on notifications (send_at) where status in ('scheduled', 'sending');
create index notifications_created_by on notifications (created_by);
create index notifications_stopped_by on notifications (stopped_by) where stopped_by is not null;

create table notification_recipients (
  notification_id bigint not null references notifications (id) on delete cascade,
  customer_id     bigint not null references customers (id),
  state           text not null default 'waiting' check (state in ('waiting', 'posted', 'opted_out')),
  outbox_key      text generated always as ('notification:' || notification_id || ':' || customer_id) stored,
  primary key (notification_id, customer_id)
);
create index notification_recipients_customer on notification_recipients (customer_id);
create index notification_recipients_waiting on notification_recipients (notification_id, customer_id) where state = 'waiting';

create index customers_value_tier on customers (value_tier);
create index customers_with_credits on customers (id) where credits > 0;
