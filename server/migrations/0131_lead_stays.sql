-- The stays of each step in the order in which their leads came: a median is taken from one stretch of this index alone.
drop index lead_steps_cohort;
create index lead_steps_stays on lead_steps (status, lead_created_at) include (entered_at, left_at) where left_at is not null;
