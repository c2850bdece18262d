-- A conversion can be undone: its step names the account that it opened, so that an unused one can be removed again.
alter table lead_steps add column opened_customer_id bigint references customers (id)
  check (opened_customer_id is null or status = 'converted');
create index lead_steps_opened_customer on lead_steps (opened_customer_id) where opened_customer_id is not null;

-- A conversion that was taken back no longer counts in the funnel: how far such a lead came is what its other steps say.
update leads l set farthest = greatest(1, (
  select max(array_position(array['new', 'onboarding_started', 'onboarding_completed', 'contacted'], s.status))
  from lead_steps s where s.lead_id = l.id))
where l.status <> 'converted' and l.farthest = 5;
