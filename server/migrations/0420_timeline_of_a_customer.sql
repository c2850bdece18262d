-- The timeline reads the newest entries of one customer from each table.
create index bookings_customer_cancelled on bookings (customer_id, cancelled_at desc) where cancelled_at is not null;
create index bookings_customer_rated on bookings (customer_id, (coalesce(rated_at, feedback_at)) desc)
  where coalesce(rated_at, feedback_at) is not null;
create index rewards_customer_redeemed on rewards (customer_id, redeemed_at desc) where redeemed_at is not null;
create index email_logs_customer_created on email_logs (customer_id, created_at desc) where customer_id is not null;
drop index email_logs_customer;
