-- Redelivery looks for what failed or was tried, not for all that waits.
create index webhook_deliveries_tried on webhook_deliveries (endpoint_id, created_at) where state = 'waiting' and tries > 0;

-- A year of one earner is read from the index alone.
create index payroll_history_of_earner on payroll_history (earner_id, pay_date) include (type, amount, voided_at);
drop index payroll_history_earner;
