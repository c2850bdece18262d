-- A campaign that is started for a zone or city stores what is expected of it, and is measured against similar zones.

create table campaign_places (
  campaign_id bigint primary key references campaigns (id),
  city_name   text not null check (length(city_name) between 1 and 120),
  city_key    text generated always as (lower(city_name)) stored,
  -- The change of each figure by day 90 that was expected when the campaign was created.
  expected    jsonb not null check (jsonb_typeof(expected) = 'object'),
  -- The similar zones that it is compared with, chosen before its first result.
  controls    bigint[]
);
create index campaign_places_city on campaign_places (city_key, campaign_id desc);

-- The figures of the place on the day before the start (after 0 days) and 30, 60 and 90 days later.
create table campaign_marks (
  campaign_id bigint not null references campaign_places (campaign_id),
  after_days  smallint not null check (after_days in (0, 30, 60, 90)),
  -- A campaign that gets another start is measured again.
  day         date not null,
  figures     jsonb not null,
  -- The same figures of the similar zones together; null without one.
  control     jsonb,
  primary key (campaign_id, after_days)
);
