-- Counts of tickets by everything that a view can filter by except the assignee ("cell * ..."), beside those with it. Most
-- views are of everyone's tickets: they no longer add up the counts of each worker.

-- Waits for those who write and lets no other begin before the commit: the first count is exact.
create or replace trigger tickets_count_insert after insert on tickets
  referencing new table as added for each statement execute function count_tickets();

create or replace function counts_of_tickets(
  status text, priority text, kind text, tags bigint[], waiting_since timestamptz, snoozed_at timestamptz, assignee_id bigint,
  merged_into_id bigint, is_due_soon boolean
) returns table (scope text, key text) language sql immutable as $$
  select * from (
    select 'tickets', status
    union all select 'tickets', k from (values
      (case when waiting_since is not null and snoozed_at is null then 'waiting' end),
      (case when priority = 'high' and status = 'open' then 'high_open' end),
      (case when priority = 'high' and snoozed_at is null then 'high' end),
      (case when assignee_id is null and snoozed_at is null then 'unassigned' end),
      (case when is_due_soon then 'breaching' end),
      (case when snoozed_at is not null then 'snoozed' end)) v (k) where status <> 'closed'
    union all select 'assignee ' || assignee_id, k from (values
      (status), (case when snoozed_at is null then 'active' end)) v (k) where status <> 'closed'
    union all select concat_ws(' ', 'cell', everyone, tag, status, priority, coalesce(kind, '-'),
      case when everyone is null then coalesce(assignee_id::text, '-') end,
      case when status <> 'closed' and waiting_since is not null then 'waiting' else '-' end,
      case when status <> 'closed' and snoozed_at is not null then 'snoozed' else '-' end,
      case when is_due_soon then 'soon' else '-' end), 'n'
    from unnest(0::bigint || tags) tag, (values (null), ('*')) e (everyone)
  ) c (scope, key)
  where merged_into_id is null and c.scope is not null and c.key is not null
$$;

insert into kept_counts (scope, counts)
select concat_ws(' ', 'cell *', p[2], p[3], p[4], p[5], p[7], p[8], p[9]), jsonb_build_object('n', sum((counts ->> 'n')::bigint))
from kept_counts, string_to_array(scope, ' ') p where scope like 'cell %' group by 1;
