-- Kinds, tags and snoozing of tickets, saved views, and counts for every queue and view.

create table ticket_tags (
  id             bigint generated always as identity primary key,
  name           text not null check (length(name) between 1 and 40),
  -- Set while a job takes the tag off its tickets, or replaces it there. Then the row is deleted.
  removed_at     timestamptz,
  replaced_by_id bigint references ticket_tags (id),
  version        int not null default 1,
  check (replaced_by_id is null or removed_at is not null)
);
create unique index ticket_tags_name on ticket_tags (lower(name)) where removed_at is null;
create index ticket_tags_replaced_by on ticket_tags (replaced_by_id) where replaced_by_id is not null;

alter table tickets
  add column kind text check (kind in ('question', 'complaint', 'booking', 'refund')),
  -- Ids of ticket_tags. In the row, so that a change of tags and its counts are one write.
  add column tags bigint[] not null default '{}' check (cardinality(tags) <= 10),
  -- Snoozed until a time, or until the customer writes when there is no time.
  add column snoozed_at timestamptz,
  add column snoozed_until timestamptz,
  add check (snoozed_until is null or snoozed_at is not null);

create index tickets_kind on tickets (kind, updated_at desc, id desc) where kind is not null and merged_into_id is null;
create index tickets_tags on tickets using gin (tags) where tags <> '{}';
create index tickets_active on tickets (assignee_id, updated_at desc, id desc)
  where status <> 'closed' and snoozed_at is null and merged_into_id is null;
create index tickets_high on tickets (updated_at desc, id desc)
  where priority = 'high' and status <> 'closed' and snoozed_at is null and merged_into_id is null;
create index tickets_snoozed on tickets (updated_at desc, id desc)
  where snoozed_at is not null and status <> 'closed' and merged_into_id is null;
create index tickets_snoozed_until on tickets (snoozed_until) where snoozed_until is not null;

alter table ticket_events
  drop constraint ticket_events_kind_check,
  add constraint ticket_events_kind_check
    check (kind in ('opened', 'status', 'assigned', 'priority', 'merged', 'kind', 'tags', 'snoozed'));

-- A closed ticket and one whose customer wrote are no longer snoozed, whoever writes the row.
create function wake_ticket() returns trigger language plpgsql as $$
begin
  new.snoozed_at := null;
  new.snoozed_until := null;
  return new;
end $$;
create trigger tickets_wake before update on tickets for each row
  when (new.snoozed_at is not null and (new.status = 'closed'
    or new.message_count > old.message_count and new.waiting_since is not null))
  execute function wake_ticket();

create table ticket_views (
  id         bigint generated always as identity primary key,
  worker_id  bigint not null references workers (id),
  name       text not null check (length(name) between 1 and 60),
  is_shared  boolean not null default false,
  queue      text check (queue in ('mine', 'unassigned', 'waiting', 'high', 'snoozed')),
  status     text check (status in ('open', 'in_progress', 'closed')),
  priority   text check (priority in ('low', 'medium', 'high')),
  kind       text check (kind in ('question', 'complaint', 'booking', 'refund')),
  -- A worker's id, 'me' or 'none'.
  assignee   text,
  tag_id     bigint references ticket_tags (id),
  changed_at timestamptz not null,
  version    int not null default 1
);
create unique index ticket_views_name on ticket_views (worker_id, lower(name));
create index ticket_views_shared on ticket_views (lower(name)) where is_shared;
create index ticket_views_tag on ticket_views (tag_id) where tag_id is not null;

-- Beside the counts of before, the queues, and a count for every combination of what a view can filter by: a cell, once
-- without a tag (0) and once for each tag of the ticket. Any filter is a sum of cells.
drop trigger tickets_count_insert on tickets;
drop trigger tickets_count_update on tickets;
drop trigger tickets_count_delete on tickets;
drop function count_tickets();
drop function counts_of_tickets(text, text, timestamptz, bigint, bigint);
delete from kept_counts where scope = 'tickets' or scope like 'assignee %';
create index kept_counts_cells on kept_counts (scope text_pattern_ops) where scope like 'cell %';

create function counts_of_tickets(
  status text, priority text, kind text, tags bigint[], waiting_since timestamptz, snoozed_at timestamptz, assignee_id bigint,
  merged_into_id bigint
) returns table (scope text, key text) language sql immutable as $$
  select * from (
    select 'tickets', status
    union all select 'tickets', k from (values
      (case when waiting_since is not null and snoozed_at is null then 'waiting' end),
      (case when priority = 'high' and status = 'open' then 'high_open' end),
      (case when priority = 'high' and snoozed_at is null then 'high' end),
      (case when assignee_id is null and snoozed_at is null then 'unassigned' end),
      (case when snoozed_at is not null then 'snoozed' end)) v (k) where status <> 'closed'
    union all select 'assignee ' || assignee_id, k from (values
      (status), (case when snoozed_at is null then 'active' end)) v (k) where status <> 'closed'
    union all select concat_ws(' ', 'cell', tag, status, priority, coalesce(kind, '-'), coalesce(assignee_id::text, '-'),
      case when status <> 'closed' and waiting_since is not null then 'waiting' else '-' end,
      case when status <> 'closed' and snoozed_at is not null then 'snoozed' else '-' end), 'n' from unnest(0::bigint || tags) tag
  ) c (scope, key)
  where merged_into_id is null and c.scope is not null and c.key is not null
$$;
select start_counting('tickets', 'status, priority, kind, tags, waiting_since, snoozed_at, assignee_id, merged_into_id');
