-- Ids that other systems gave our records. Deleted records keep theirs: a tombstone names them.
create table external_refs (
  source       text not null,
  resource     text not null,
  external_id  text not null check (length(external_id) between 1 and 200),
  record_id    bigint not null,
  -- The newest version taken from this source; older ones are stale.
  taken_at     timestamptz,
  -- Of records that never change: tells a repeated item from a different one.
  content_hash bytea,
  created_at   timestamptz not null,
  primary key (source, resource, external_id)
);
create unique index external_refs_record on external_refs (resource, record_id, source);
