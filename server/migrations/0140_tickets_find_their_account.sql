-- A ticket may be older than the account of whoever wrote it. It is tied to the account when that is opened, or gets the
-- address, whichever program does so: lists and counts go by the tie alone.
create index tickets_without_account on tickets (customer_email) where customer_id is null;

create function tie_tickets_to_new_accounts() returns trigger language plpgsql as $$
begin
  -- Planned anew each time: a plan that a large load made would read every ticket for a single account.
  execute 'update tickets t set customer_id = a.id from added a where t.customer_id is null and t.customer_email = a.email';
  return null;
end $$;
create trigger customers_get_tickets_on_insert after insert on customers
  referencing new table as added for each statement execute function tie_tickets_to_new_accounts();

create function tie_tickets_to_account() returns trigger language plpgsql as $$
begin
  update tickets set customer_id = new.id where customer_id is null and customer_email = new.email;
  return null;
end $$;
create trigger customers_get_tickets_on_update after update of email on customers
  for each row when (new.email <> old.email) execute function tie_tickets_to_account();

-- Those that were left without a tie, and those tied to a duplicate after it was merged.
update tickets t set customer_id = c.id from customers c where t.customer_id is null and t.customer_email = c.email;
with recursive way as (
  select id as closed_id, merged_into_id as next_id from customers where merged_into_id is not null
  union
  select w.closed_id, c.merged_into_id from way w join customers c on c.id = w.next_id where c.merged_into_id is not null
)
update tickets t set customer_id = w.next_id
from way w join customers c on c.id = w.next_id and c.merged_into_id is null
where t.customer_id = w.closed_id;
