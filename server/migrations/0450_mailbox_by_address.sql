-- outside a transaction: the index is built while the table is written.
-- Erasing a person deletes the emails to their address.
create index concurrently if not exists mailbox_to_address on mailbox (lower(to_address));
