-- The funnel of a year is read from two indexes, without joining every lead with all of its steps.

-- The farthest step that a lead came to, in the order of the funnel; losing interest takes nobody back.
alter table leads add column farthest smallint not null default 1 check (farthest between 1 and 5);
update leads l set farthest = way.far
from (
  select lead_id, max(array_position(array['new', 'onboarding_started', 'onboarding_completed', 'contacted', 'converted'], status)) as far
  from lead_steps group by lead_id) way
where way.lead_id = l.id and way.far > 1;

drop index leads_created;
create index leads_created on leads (created_at desc, id desc) include (status, source, campaign_id, farthest);

-- When the lead of a step came: that never changes.
alter table lead_steps add column lead_created_at timestamptz;
update lead_steps s set lead_created_at = l.created_at from leads l where l.id = s.lead_id;
alter table lead_steps alter column lead_created_at set not null;
create index lead_steps_cohort on lead_steps (lead_created_at) include (status, entered_at, left_at) where left_at is not null;
