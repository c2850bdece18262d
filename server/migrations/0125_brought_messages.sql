-- What a customer wrote comes from outside under a number of its own: the same one again is the same message.
alter table ticket_messages add column inbound_key text check (length(inbound_key) <= 300);
create unique index ticket_messages_inbound on ticket_messages (inbound_key) where inbound_key is not null;
