-- Tier 3 is five minutes, put together from its minutes once it is over: the last hour is read in a dozen rows instead of
-- sixty. Blocks of five minutes before `fives_until` have rows of their own; in later ones the minutes count.
alter table event_rollups drop constraint event_rollups_tier_check;
alter table event_rollups add constraint event_rollups_tier_check check (tier in (0, 1, 2, 3));
alter table event_rollup_state add column fives_until timestamptz;
