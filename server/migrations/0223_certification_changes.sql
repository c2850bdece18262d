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
  update record_changes set seq = change_seq(), changed_at = change_time()
  where resource = 'certifications' and record_id in (select id from certifications where type_id = new.id);
  return null;
end $$;
create trigger certification_types_track after update of name on certification_types
  for each row when (new.name <> old.name) execute function track_certification_type();

create function track_certified_stretcher() returns trigger language plpgsql as $$
begin
  update record_changes set seq = change_seq(), changed_at = change_time()
  where resource = 'certifications' and record_id in (select id from certifications where customer_id = new.customer_id);
  return null;
end $$;
create trigger stretchers_track_certifications after insert on stretchers
  for each row execute function track_certified_stretcher();
