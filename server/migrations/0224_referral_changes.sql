-- Referrals for programs. The refresh writes only those that differ, so one that changes nothing marks nothing. The id of
-- a referral is that of the customer who was referred.
alter table referrals add column id bigint not null generated always as (customer_id) stored;
select track_changes('referrals', 'referrals');

-- A referral shows what staff decided about it.
create function track_referral_review() returns trigger language plpgsql as $$
begin
  perform note_changes('referrals', array[new.customer_id]);
  return null;
end $$;
create trigger referral_reviews_track after insert on referral_reviews
  for each row execute function track_referral_review();
