-- Counts that every write keeps. Counting anew costs each change of status, and each look at the cards, more the more rows
-- there are.
--
-- A writer adds to any row of a scope that no other transaction holds, and adds a row when all are held. So writers never
-- wait for each other here, and a scope has as many rows as it ever had writers at once. The sum of its rows is the count.
create table kept_counts (
  -- What is counted: 'tickets', 'leads', 'campaign 12'.
  scope  text not null,
  slot   bigint generated always as identity,
  counts jsonb not null,
  primary key (scope, slot)
) with (fillfactor = 50);

create function keep_counts(into_scope text, delta jsonb) returns void language plpgsql as $$
declare
  free bigint;
begin
  select into free slot from kept_counts where scope = into_scope order by slot limit 1 for no key update skip locked;
  if free is null then
    insert into kept_counts (scope, counts) values (into_scope, delta);
  else
    update kept_counts set counts = counts || (
      select jsonb_object_agg(d.key, coalesce((counts ->> d.key)::bigint, 0) + d.value::bigint) from jsonb_each_text(delta) d)
    where scope = into_scope and slot = free;
  end if;
end $$;

-- One count of a scope; nothing of it was ever counted: 0.
create function kept_count(of_scope text, of_key text) returns bigint language sql stable parallel safe
  return (select coalesce(sum((counts ->> of_key)::bigint), 0)::bigint from kept_counts where scope = of_scope);

-- Counts a table of which nothing is counted yet.
create function recount(counted text, columns text) returns void language plpgsql as $$
begin
  execute format('select keep_counts(scope, jsonb_object_agg(key, n)) from (
    select c.scope, c.key, count(*) as n from %1$s, counts_of_%1$s(%2$s) c group by 1, 2) k group by scope', counted, columns);
end $$;

-- Keeps counts of a table from now on: a function named after it says under which scopes and keys a row counts, given these
-- columns. Creating a trigger waits for those who write and lets no other begin before the commit: the first count is exact.
create function start_counting(counted text, columns text) returns void language plpgsql as $$
begin
  execute format($f$
    create function count_%1$s() returns trigger language plpgsql as $t$
    begin
      if tg_op = 'INSERT' then
        perform keep_counts(scope, jsonb_object_agg(key, n)) from (
          select c.scope, c.key, count(*) as n from added, counts_of_%1$s(%2$s) c group by 1, 2) k group by scope;
      elsif tg_op = 'DELETE' then
        perform keep_counts(scope, jsonb_object_agg(key, -n)) from (
          select c.scope, c.key, count(*) as n from taken, counts_of_%1$s(%2$s) c group by 1, 2) k group by scope;
      else
        perform keep_counts(scope, jsonb_object_agg(key, n)) from (
          select c.scope, c.key, sum(moved.n) as n from (
            select 1 as n, %2$s from added union all select -1, %2$s from taken
          ) moved, counts_of_%1$s(%2$s) c group by 1, 2 having sum(moved.n) <> 0) k group by scope;
      end if;
      return null;
    end $t$ $f$, counted, columns);
  execute format('create trigger %1$s_count_insert after insert on %1$s
    referencing new table as added for each statement execute function count_%1$s()', counted);
  execute format('create trigger %1$s_count_update after update on %1$s
    referencing old table as taken new table as added for each statement execute function count_%1$s()', counted);
  execute format('create trigger %1$s_count_delete after delete on %1$s
    referencing old table as taken for each statement execute function count_%1$s()', counted);
  perform recount(counted, columns);
end $$;

-- Tickets by status; of those not closed, where the customer waits, and the open ones of high priority; and what every
-- worker has to do. A ticket that was merged into another is not counted.
create function counts_of_tickets(status text, priority text, waiting_since timestamptz, assignee_id bigint, merged_into_id bigint)
returns table (scope text, key text) language sql immutable as $$
  select * from (values ('tickets', status),
    ('tickets', case when waiting_since is not null and status <> 'closed' then 'waiting' end),
    ('tickets', case when priority = 'high' and status = 'open' then 'high_open' end),
    ('assignee ' || assignee_id, case when status <> 'closed' then status end)) k
  where merged_into_id is null and k.column1 is not null and k.column2 is not null
$$;
select start_counting('tickets', 'status, priority, waiting_since, assignee_id, merged_into_id');

-- Leads by status; of every campaign, and of all together, how many it brought and how many of them were converted; and
-- what every worker has to do.
create function counts_of_leads(status text, campaign_id bigint, assignee_id bigint)
returns table (scope text, key text) language sql immutable as $$
  select * from (values ('leads', status),
    ('campaign ' || campaign_id, 'leads'),
    ('campaign ' || campaign_id, case when status = 'converted' then 'conversions' end),
    (case when campaign_id is not null then 'campaigns' end, 'leads'),
    (case when campaign_id is not null then 'campaigns' end, case when status = 'converted' then 'conversions' end),
    ('lead assignee ' || assignee_id, case when status not in ('converted', 'not_interested') then 'open' end)) k
  where k.column1 is not null and k.column2 is not null
$$;
select start_counting('leads', 'status, campaign_id, assignee_id');

-- Learners of a course, and how many of them are in the middle of it.
create function counts_of_training_enrolments(course_id bigint, started_at timestamptz, completed_at timestamptz)
returns table (scope text, key text) language sql immutable as $$
  select * from (values ('course ' || course_id, 'enrolled'),
    ('course ' || course_id, case when started_at is not null and completed_at is null then 'learning' end)) k
  where k.column2 is not null
$$;
select start_counting('training_enrolments', 'course_id, started_at, completed_at');

-- Addresses on the list of a business.
create function counts_of_business_emails(business_id bigint) returns table (scope text, key text) language sql immutable as $$
  select 'business ' || business_id, 'emails'
$$;
select start_counting('business_emails', 'business_id');
