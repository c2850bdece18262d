-- A certification of an erased account is gone for programs. It shows the name of its type and the stretcher.
drop trigger certifications_track_certifications_insert on certifications;
drop trigger certifications_track_certifications_update on certifications;
drop trigger certifications_track_certifications_delete on certifications;
drop function track_certifications_as_certifications();
delete from record_changes where resource = 'certifications';
select track_changes('certifications', 'certifications',
  reason => '(select ''erased'' from customers c where c.id = r.customer_id and c.erased_at is not null)');

create function track_certification_type() returns trigger language plpgsql as $$
begin
  insert into record_changes (resource, record_id, seq, changed_at)
  select 'certifications', id, change_seq(), change_time() from certifications where type_id = new.id
  on conflict (resource, record_id) do update set seq = excluded.seq, changed_at = excluded.changed_at;
  return null;
end $$;
create trigger certification_types_track after update of name on certification_types
  for each row when (new.name <> old.name) execute function track_certification_type();

create function track_certified_stretcher() returns trigger language plpgsql as $$
begin
  insert into record_changes (resource, record_id, seq, changed_at)
  select 'certifications', id, change_seq(), change_time() from certifications where customer_id = new.customer_id
  on conflict (resource, record_id) do update set seq = excluded.seq, changed_at = excluded.changed_at;
  return null;
end $$;
create trigger stretchers_track_certifications after insert on stretchers
  for each row execute function track_certified_stretcher();
