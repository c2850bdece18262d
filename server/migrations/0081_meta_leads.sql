-- Leads that come from forms of ads: what was announced, and whether it was fetched.

alter table campaigns add column meta_campaign_id text check (meta_campaign_id ~ '^[0-9]{1,30}$');
create unique index campaigns_meta_campaign on campaigns (meta_campaign_id) where meta_campaign_id is not null;

alter table leads
  add column leadgen_id text check (leadgen_id ~ '^[0-9]{1,30}$'),
  -- What a form asked beside name, address and number: [{ "name": …, "value": … }].
  add column answers jsonb not null default '[]' check (jsonb_typeof(answers) = 'array');
create unique index leads_leadgen on leads (leadgen_id) where leadgen_id is not null;

create table meta_leadgens (
  -- Numbers beyond what a float holds: kept as digits.
  leadgen_id   text primary key check (leadgen_id ~ '^[0-9]{1,30}$'),
  page_id      text,
  form_id      text,
  ad_id        text,
  state        text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  inbound_id   bigint,
  lead_id      bigint references leads (id),
  tries        int not null default 0,
  next_try_at  timestamptz not null,
  -- While one process fetches it, no other does.
  leased_until timestamptz,
  error        text,
  received_at  timestamptz not null,
  settled_at   timestamptz
);
create index meta_leadgens_due on meta_leadgens (next_try_at) where state = 'waiting';
create index meta_leadgens_received on meta_leadgens (received_at desc);
create index meta_leadgens_lead on meta_leadgens (lead_id) where lead_id is not null;
