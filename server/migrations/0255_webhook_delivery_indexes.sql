-- Figures of an endpoint read only what is open and what was delivered lately.
create index webhook_deliveries_open on webhook_deliveries (endpoint_id, created_at) where state in ('waiting', 'failed');
create index webhook_deliveries_delivered on webhook_deliveries (endpoint_id, settled_at)
  where state = 'delivered' and not is_test;
