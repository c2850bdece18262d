alter table leads
  -- When staff corrected a contact field, by its name: other systems do not overwrite it with an older value.
  add column corrected_at jsonb not null default '{}',
  add column erased_at timestamptz;
update leads set erased_at = updated_at
where first_name = 'Erased' and last_name = 'Customer' and email is null and phone is null;

-- An erased lead is gone for programs, and a merged one is the lead it was merged into.
select track_changes('leads', 'leads', reason => 'case when r.erased_at is not null then ''erased'' end');

create function track_merged_lead() returns trigger language plpgsql as $$
begin
  insert into record_changes (resource, record_id, seq, changed_at, deleted_reason, merged_into_id)
  values ('leads', new.id, change_seq(), change_time(), 'merged', new.lead_id)
  on conflict (resource, record_id) do update set seq = excluded.seq, changed_at = excluded.changed_at,
    deleted_reason = excluded.deleted_reason, merged_into_id = excluded.merged_into_id;
  return null;
end $$;
create trigger merged_leads_track after insert or update of lead_id on merged_leads
  for each row execute function track_merged_lead();
insert into record_changes (resource, record_id, seq, changed_at, deleted_reason, merged_into_id)
select 'leads', id, change_seq(), change_time(), 'merged', lead_id from merged_leads;
