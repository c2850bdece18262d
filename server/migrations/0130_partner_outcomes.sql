-- What came of each partnership from the people on its list, kept with the other growth figures: a list of partners matches
-- no addresses.
create table growth_partners (
  business_id  bigint primary key,
  active_users int not null,
  sessions     int not null,
  rating_sum   int not null,
  rating_count int not null,
  revenue      numeric(18, 4) not null
);
