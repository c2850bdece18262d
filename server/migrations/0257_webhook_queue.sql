-- One index for each question about a queue. With several that fit equally well by statistics of an empty queue, PostgreSQL
-- sometimes chose one that reads all of it. Only statements that name the same condition use the order of a record.
drop index webhook_deliveries_of_record;
create index webhook_deliveries_of_record on webhook_deliveries (endpoint_id, record, id)
  where state not in ('delivered', 'failed');
-- What waits and what failed is counted by the indexes of each.
drop index webhook_deliveries_open;
