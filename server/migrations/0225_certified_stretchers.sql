-- Once per statement: a batch hires up to 1,000 stretchers.
drop trigger stretchers_track_certifications on stretchers;
create or replace function track_certified_stretcher() returns trigger language plpgsql as $$
begin
  update record_changes c set seq = change_seq(), changed_at = change_time()
  from added s join certifications k on k.customer_id = s.customer_id
  where c.resource = 'certifications' and c.record_id = k.id;
  return null;
end $$;
create trigger stretchers_track_certifications after insert on stretchers
  referencing new table as added for each statement execute function track_certified_stretcher();
