-- What one worker sent to many within an hour, and the credits they moved in a day: summed over their own rows.
create index notifications_by_author on notifications (created_by, created_at);
create index partner_outreach_by_worker on partner_outreach (worker_id, created_at) where worker_id is not null;
create index credit_entries_by_worker on credit_entries (worker_id, created_at) where worker_id is not null;
drop index partner_outreach_worker;
drop index credit_entries_worker;
