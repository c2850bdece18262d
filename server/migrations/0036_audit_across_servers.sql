-- Transactions are numbered by each server for itself. A restored audit log continues on a server whose numbers begin
-- anew: what is added to them there keeps the order of the chain. A restore replaces the first of these functions.
create function audit_tx_offset() returns bigint language sql immutable return 0::bigint;

create function audit_tx() returns xid8 language sql volatile
  return ((pg_current_xact_id()::text::bigint + audit_tx_offset())::text)::xid8;

-- Rows of transactions before it are all there.
create function audit_horizon() returns xid8 language sql stable
  return ((pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_tx_offset())::text)::xid8;

alter table audit_log alter column tx set default audit_tx();
