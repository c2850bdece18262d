-- Media of campaigns, and how far each campaign came on its way to Meta.

create table campaign_media (
  name        text primary key check (name ~ '^[a-z0-9]{26}\.[a-z0-9]{2,4}$'),
  campaign_id bigint not null references campaigns (id),
  position    int not null,
  filename    text not null check (length(filename) between 1 and 200),
  mime_type   text not null check (mime_type in ('image/jpeg', 'image/png', 'video/mp4')),
  bytes       bigint not null check (bytes > 0),
  created_at  timestamptz not null,
  unique (campaign_id, position)
);

-- Every id that Meta gives is kept at once: whatever fails afterwards, nothing is made a second time.
create table campaign_pushes (
  campaign_id    bigint primary key references campaigns (id),
  state          text not null default 'waiting' check (state in ('waiting', 'retrying', 'failed', 'done')),
  -- The step that is being done or could not be done, and what Meta said.
  step           text,
  error          text,
  -- A step whose call went out and whose answer never came: Meta is asked first whether it is there already.
  begun          text,
  -- Stands in every name at Meta: by it we know again what is ours.
  mark           text not null,
  -- Names of places, interests and languages as Meta numbers them.
  targeting      jsonb,
  adset_id       text,
  form_id        text,
  image_hash     text,
  video_id       text,
  -- An upload in parts that broke off goes on from here: { session, video, start, end }.
  upload         jsonb,
  creative_id    text,
  ad_id          text,
  -- What Meta was last told: status, name, budget, end date.
  told           jsonb,
  rounds         int not null default 0,
  -- While one process pushes it, no other does.
  lease          text,
  leased_until   timestamptz,
  updated_at     timestamptz not null
);
create index campaign_pushes_state on campaign_pushes (state) where state <> 'done';
