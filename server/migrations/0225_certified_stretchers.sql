-- Once per statement: a batch hires up to 1,000 stretchers.
drop trigger stretchers_track_certifications on stretchers;
create or replace function track_certified_stretcher() returns trigger language plpgsql as $$
begin
  insert into record_changes (resource, record_id, seq, changed_at)
  select 'certifications', k.id, change_seq(), change_time()
  from added s join certifications k on k.customer_id = s.customer_id
  on conflict (resource, record_id) do update set seq = excluded.seq, changed_at = excluded.changed_at;
  return null;
end $$;
create trigger stretchers_track_certifications after insert on stretchers
  referencing new table as added for each statement execute function track_certified_stretcher();
