-- Text messages to and from customers, and the addresses that nothing may be sent to in bulk.

create table texts (
  id          bigint generated always as identity primary key,
  -- The name that the service outside gave it; none until it was handed over.
  sid         text unique,
  is_outgoing boolean not null,
  from_number text not null check (length(from_number) <= 40),
  to_number   text not null check (length(to_number) <= 40),
  -- Whom the conversation is with.
  number      text not null generated always as (case when is_outgoing then to_number else from_number end) stored,
  body        text not null check (length(body) <= 5000),
  media       int not null default 0 check (media >= 0),
  state       text not null check (state in ('waiting', 'sent', 'delivered', 'failed', 'received')),
  error       text,
  sent_at     timestamptz not null,
  worker_id   bigint references workers (id),
  outbox_key  text unique,
  -- When it was first handed to the service: from then on its fate may be unknown, and is looked up before another try.
  tried_at    timestamptz,
  check (is_outgoing = (state <> 'received')),
  check (sid is not null or outbox_key is not null)
);
create index texts_recent on texts (sent_at desc, id desc);
create index texts_of_number on texts (number, sent_at desc, id desc);
create index texts_worker on texts (worker_id) where worker_id is not null;

-- Who opted out, or cannot be reached: the hash alone, so that it outlives the account and names nobody.
create table suppressions (
  channel      text not null check (channel in ('mail', 'text')),
  address_hash bytea not null check (length(address_hash) = 32),
  reason       text not null check (reason in ('unsubscribed', 'stop_word', 'hard_bounce', 'complaint')),
  source       text not null,
  created_at   timestamptz not null,
  primary key (channel, address_hash)
);
