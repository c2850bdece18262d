-- A stretcher whose account was erased is gone for programs. Their phone is that of the account.
drop trigger stretchers_track_stretchers_insert on stretchers;
drop trigger stretchers_track_stretchers_update on stretchers;
drop trigger stretchers_track_stretchers_delete on stretchers;
drop function track_stretchers_as_stretchers();
delete from record_changes where resource = 'stretchers';
select track_changes('stretchers', 'stretchers',
  reason => '(select ''erased'' from customers c where c.id = r.customer_id and c.erased_at is not null)');

create function track_phone_of_stretcher() returns trigger language plpgsql as $$
begin
  insert into record_changes (resource, record_id, seq, changed_at)
  select 'stretchers', id, change_seq(), change_time() from stretchers where customer_id = new.id
  on conflict (resource, record_id) do update set seq = excluded.seq, changed_at = excluded.changed_at;
  return null;
end $$;
create trigger customers_track_stretcher after update of phone on customers
  for each row when (new.phone is distinct from old.phone) execute function track_phone_of_stretcher();
