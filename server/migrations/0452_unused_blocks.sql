-- outside a transaction: the index is built while the table is written.
-- The planner lists blocks that can still be scheduled, those that expire first at the top.
create index concurrently if not exists prepaid_blocks_unused on prepaid_blocks (expires_on, id) where used_at is null;
