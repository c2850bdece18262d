-- A reply that another system sent was written by somebody without an account here.
alter table ticket_messages
  add column source text check (length(source) between 1 and 40),
  drop constraint ticket_messages_check,
  add constraint ticket_messages_author check (from_customer or worker_id is not null or source is not null);
