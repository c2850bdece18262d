-- Who waits for an answer, longest first: the queue of the desk.
create index tickets_waiting on tickets (waiting_since, id)
  where waiting_since is not null and status <> 'closed' and merged_into_id is null;
