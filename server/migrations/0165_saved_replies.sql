-- Texts that agents put into a reply by their names. A few hundred at most: they are read as a whole.
create table saved_replies (
  id         bigint generated always as identity primary key,
  name       text not null check (name <> ''),
  content    text not null check (content <> ''),
  changed_by bigint not null references workers (id),
  changed_at timestamptz not null,
  version    integer not null default 1
);
create unique index saved_replies_name on saved_replies (lower(name));
create index saved_replies_changed_by on saved_replies (changed_by);
