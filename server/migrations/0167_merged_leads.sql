-- Leads that turned out to be one person: a merged lead leaves the leads, and what it had goes to the one that stays.
create table merged_leads (
  -- The number that it had among the leads: links and the audit log know it by that.
  id          bigint primary key,
  -- Where it went; when that one is merged too, where that went.
  lead_id     bigint not null references leads (id) check (lead_id <> id),
  first_name  text not null check (length(first_name) <= 100),
  last_name   text not null check (length(last_name) <= 100),
  -- Addresses and numbers under which the person is known as well.
  email       text check (length(email) <= 254 and email !~ '[A-Z\s]' and position('@' in email) > 1),
  phone       text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  source      text not null
    check (source in ('facebook_lead_ad', 'google_ads', 'email', 'website', 'referral', 'event', 'manual')),
  campaign_id bigint references campaigns (id),
  created_at  timestamptz not null,
  -- By which Meta announces it: announced again it is no new lead.
  leadgen_id  text check (leadgen_id ~ '^[0-9]{1,30}$'),
  merged_by   bigint not null references workers (id),
  merged_at   timestamptz not null check (merged_at >= created_at)
);
create index merged_leads_lead on merged_leads (lead_id, merged_at);
create index merged_leads_email on merged_leads (email) where email is not null;
create index merged_leads_phone on merged_leads (phone) where phone is not null;
create index merged_leads_campaign on merged_leads (campaign_id) where campaign_id is not null;
create index merged_leads_worker on merged_leads (merged_by);
create unique index merged_leads_leadgen on merged_leads (leadgen_id) where leadgen_id is not null;

-- A step that a merge ended was not left by the person: how long it took says nothing.
alter table lead_steps add column ended_by_merge boolean not null default false check (not ended_by_merge or left_at is not null);
drop index lead_steps_stays;
create index lead_steps_stays on lead_steps (status, lead_created_at) include (entered_at, left_at)
  where left_at is not null and not ended_by_merge;
