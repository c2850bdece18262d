-- The address that a customer's message came from. Replies go to the last one. Null for what no person sent.
alter table ticket_messages add column sender text;
