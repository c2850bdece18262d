-- When each record last changed, for programs that read changes page by page. Rows are ordered by `seq`, which a
-- transaction draws at its first change.
create sequence record_change_seq;
select nextval('record_change_seq');
create table record_changes (
  resource       text not null,
  record_id      bigint not null,
  seq            bigint not null,
  changed_at     timestamptz not null,
  -- Set once the record is gone.
  deleted_reason text check (deleted_reason in ('erased', 'merged', 'deleted')),
  merged_into_id bigint,
  primary key (resource, record_id),
  check (merged_into_id is null or deleted_reason = 'merged')
) with (fillfactor = 80);
create index record_changes_in_order on record_changes (resource, seq, record_id);
create index record_changes_by_time on record_changes (resource, changed_at);

-- Drawn in the order of their numbers, transactions may end in any order. Each holds a shared lock on the number that was
-- the last one before it drew its own, so a reader can tell up to which number every transaction has ended. The key of
-- the lock is this base plus the number.
create function change_lock_base() returns bigint language sql immutable return 7214003::bigint << 40;

create function last_change() returns bigint language sql volatile
  return (select last_value from record_change_seq);

-- The number and time of this transaction's changes, as `number time`.
create function change_mark() returns text language plpgsql as $$
declare
  mark text := current_setting('limber.change', true);
begin
  if mark is null or mark = '' then
    perform pg_advisory_xact_lock_shared(change_lock_base() + last_change());
    mark := set_config('limber.change', nextval('record_change_seq') || ' ' || clock_timestamp(), true);
  end if;
  return mark;
end $$;

create function change_seq() returns bigint language sql volatile return split_part(change_mark(), ' ', 1)::bigint;
create function change_time() returns timestamptz language sql volatile
  return substr(change_mark(), position(' ' in change_mark()) + 1)::timestamptz;

-- Every transaction with this number or a lower one has ended. The last number is read first: a transaction that drew it
-- held its lock before, and still does, or has ended.
create function change_horizon() returns bigint language plpgsql as $$
declare
  last bigint := last_change();
  waiting bigint;
begin
  select into waiting min(((classid::bigint << 32) | objid::bigint) - change_lock_base()) from pg_locks
  where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = change_lock_base() >> 32;
  return least(last, waiting);
end $$;

-- Notes that these records changed, for what another table shows of them. By primary key: a plain update may be planned
-- to read every change of the resource.
create function note_changes(of_resource text, ids bigint[]) returns void language sql as $$
  insert into record_changes (resource, record_id, seq, changed_at)
  select of_resource, id, change_seq(), change_time() from unnest(ids) id
  on conflict (resource, record_id) do update set seq = excluded.seq, changed_at = excluded.changed_at
$$;

-- Notes every change of a table from now on, and lists what is there. `id_column` names the record that a row belongs to:
-- the row itself, or another record that shows it. `reason` and `merged_into` are expressions over the row `r` that say
-- when it is gone.
create function track_changes(tracked text, resource text, id_column text default 'id', reason text default 'null',
  merged_into text default 'null') returns void language plpgsql as $$
declare
  is_record boolean := id_column = 'id';
  suffix text := replace(resource, '/', '_');
begin
  execute format($f$
    create function track_%1$s_as_%8$s() returns trigger language plpgsql as $t$
    begin
      if tg_op = 'DELETE' then
        insert into record_changes (resource, record_id, seq, changed_at, deleted_reason)
        select distinct %2$L, r.%3$I, change_seq(), change_time(), %6$s from taken r where r.%3$I is not null
        on conflict (resource, record_id) do update
          set seq = excluded.seq, changed_at = excluded.changed_at,
            deleted_reason = coalesce(record_changes.deleted_reason, excluded.deleted_reason);
      else
        insert into record_changes (resource, record_id, seq, changed_at, deleted_reason, merged_into_id)
        select distinct on (r.%3$I) %2$L, r.%3$I, change_seq(), change_time(), %4$s, %5$s from added r where r.%3$I is not null
        on conflict (resource, record_id) do update
          set seq = excluded.seq, changed_at = excluded.changed_at %7$s;
      end if;
      return null;
    end $t$ $f$, tracked, resource, id_column, reason, merged_into,
    case when is_record then '''deleted''' else 'null' end,
    case when is_record then ', deleted_reason = excluded.deleted_reason, merged_into_id = excluded.merged_into_id' else '' end,
    suffix);
  execute format('create trigger %1$s_track_%2$s_insert after insert on %1$s
    referencing new table as added for each statement execute function track_%1$s_as_%2$s()', tracked, suffix);
  execute format('create trigger %1$s_track_%2$s_update after update on %1$s
    referencing new table as added for each statement execute function track_%1$s_as_%2$s()', tracked, suffix);
  execute format('create trigger %1$s_track_%2$s_delete after delete on %1$s
    referencing old table as taken for each statement execute function track_%1$s_as_%2$s()', tracked, suffix);
  if is_record then
    execute format('insert into record_changes (resource, record_id, seq, changed_at, deleted_reason, merged_into_id)
      select %2$L, r.id, change_seq(), change_time(), %3$s, %4$s from %1$s r', tracked, resource, reason, merged_into);
  end if;
end $$;

select track_changes('customers', 'customers',
  reason => 'case when r.erased_at is not null then ''erased'' when r.merged_into_id is not null then ''merged'' end',
  merged_into => 'case when r.erased_at is null then r.merged_into_id end');
select track_changes('bookings', 'bookings');
select track_changes('customer_transactions', 'transactions');
select track_changes('credit_entries', 'credits');
select track_changes('rewards', 'rewards');
-- Stretchers and certifications of an erased account are gone.
select track_changes('stretchers', 'stretchers',
  reason => '(select ''erased'' from customers c where c.id = r.customer_id and c.erased_at is not null)');
select track_changes('certifications', 'certifications',
  reason => '(select ''erased'' from customers c where c.id = r.customer_id and c.erased_at is not null)');
select track_changes('zones', 'zones');
select track_changes('businesses', 'businesses');
select track_changes('onsite_sessions', 'sessions');
-- An erased participant keeps the slot but is gone.
select track_changes('onsite_participants', 'participants',
  reason => 'case when r.email like ''erased-%@erased.invalid'' then ''erased'' end');
-- The free slots of a session change with its participants.
select track_changes('onsite_participants', 'sessions', 'session_id');
select track_changes('tickets', 'tickets',
  reason => 'case when r.merged_into_id is not null then ''merged'' end', merged_into => 'r.merged_into_id');
