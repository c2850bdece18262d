-- A request whose worker came back in another way, or by another request, is neither approved nor denied.
alter table recovery_requests drop constraint recovery_requests_state_check;
alter table recovery_requests add constraint recovery_requests_state_check
  check (state in ('open', 'approved', 'denied', 'closed'));
