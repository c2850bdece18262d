-- A try that finds a message too early (the outside is not ready, another process is at it) counts as no failure; how long a
-- message waits so has an end of its own.
alter table outbox
  add column waits int not null default 0,
  add column waiting_since timestamptz;
