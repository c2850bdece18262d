-- The calendar of on-site sessions shows cancelled ones when asked for, and looks for the nearest; the index by start knows
-- only those that stand.
create index onsite_sessions_cancelled on onsite_sessions (starts_at) where cancelled_at is not null;
