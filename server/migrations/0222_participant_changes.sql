-- An erased participant keeps the slot but is gone for programs.
drop trigger onsite_participants_track_participants_insert on onsite_participants;
drop trigger onsite_participants_track_participants_update on onsite_participants;
drop trigger onsite_participants_track_participants_delete on onsite_participants;
drop function track_onsite_participants_as_participants();
delete from record_changes where resource = 'participants';
select track_changes('onsite_participants', 'participants',
  reason => 'case when r.email like ''erased-%@erased.invalid'' then ''erased'' end');
