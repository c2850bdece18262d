-- A notification for later draws its audience anew when it goes out: what needs a passkey then must have been made with one.
alter table notifications
  add column has_passkey boolean not null default false,
  -- Why it ended without being sent to anybody.
  add column end_reason text check (length(end_reason) between 1 and 500),
  add check (end_reason is null or status = 'failed');
update notifications set has_passkey = true where people > 100;
