-- The phone of a stretcher is that of the account.
create function track_phone_of_stretcher() returns trigger language plpgsql as $$
begin
  perform note_changes('stretchers', array(select id from stretchers where customer_id = new.id));
  return null;
end $$;
create trigger customers_track_stretcher after update of phone on customers
  for each row when (new.phone is distinct from old.phone) execute function track_phone_of_stretcher();

-- A certification shows the name of its type and the stretcher.
create function track_certification_type() returns trigger language plpgsql as $$
begin
  perform note_changes('certifications', array(select id from certifications where type_id = new.id));
  return null;
end $$;
create trigger certification_types_track after update of name on certification_types
  for each row when (new.name <> old.name) execute function track_certification_type();

create function track_certified_stretchers() returns trigger language plpgsql as $$
begin
  perform note_changes('certifications',
    array(select k.id from added s join certifications k on k.customer_id = s.customer_id));
  return null;
end $$;
create trigger stretchers_track_certifications after insert on stretchers
  referencing new table as added for each statement execute function track_certified_stretchers();
