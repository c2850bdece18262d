-- Erasing a customer reaches what staff typed about them in two ledgers, and finds the rest by an index.

-- An entry of these ledgers is never changed; the one exception blanks its reason when the person is erased.
drop trigger credit_entries_append_only on credit_entries;
create trigger credit_entries_append_only before delete on credit_entries
  for each row execute function refuse_change();
create trigger credit_entries_fixed before update on credit_entries
  for each row when (new.reason is distinct from '[Erased]'
    or (new.id, new.customer_id, new.delta, new.kind, new.booking_id, new.transaction_id, new.worker_id, new.created_at)
      is distinct from (old.id, old.customer_id, old.delta, old.kind, old.booking_id, old.transaction_id, old.worker_id, old.created_at))
  execute function refuse_change();

drop trigger referral_reviews_append_only on referral_reviews;
create trigger referral_reviews_fixed before update on referral_reviews
  for each row when (new.reason is distinct from '[Erased]'
    or (new.id, new.customer_id, new.decision, new.worker_id, new.created_at)
      is distinct from (old.id, old.customer_id, old.decision, old.worker_id, old.created_at))
  execute function refuse_change();

create index event_failures_user on event_failures (user_id) where user_id is not null;
create index error_people_person on error_people (person);
create index business_emails_email on business_emails (email);
create index mailbox_to on mailbox (lower(to_address));
