-- What the support report reads by range.
create index ticket_promises_ended on ticket_promises (ended_at, ticket_id) include (outcome) where outcome in ('kept', 'missed');
create index ticket_times_backlog on ticket_times (opened_at, ticket_id) where closed_at is null;
