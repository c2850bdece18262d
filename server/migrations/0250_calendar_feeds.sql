-- Secret links by which a calendar program reads on-site sessions.
create table calendar_feeds (
  id           bigint generated always as identity primary key,
  business_id  bigint references businesses (id) on delete cascade,
  stretcher_id bigint references stretchers (id) on delete cascade,
  -- SHA-256 of the token in the link.
  token_hash   bytea not null,
  created_by   bigint not null references workers (id),
  created_at   timestamptz not null,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  revoked_by   bigint references workers (id),
  -- All sessions, those of one business, or those of one stretcher.
  check (business_id is null or stretcher_id is null),
  check ((revoked_at is null) = (revoked_by is null))
);
create unique index calendar_feeds_token on calendar_feeds (token_hash);
create index calendar_feeds_business on calendar_feeds (business_id) where business_id is not null;
create index calendar_feeds_stretcher on calendar_feeds (stretcher_id) where stretcher_id is not null;
create index calendar_feeds_created_by on calendar_feeds (created_by);
create index calendar_feeds_revoked_by on calendar_feeds (revoked_by) where revoked_by is not null;
