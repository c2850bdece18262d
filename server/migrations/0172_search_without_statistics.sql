-- A text is looked up by its trigrams, whatever the planner takes it for: with statistics of one day it walked through half
-- of all messages for a word that one in four hundred says. In these functions nothing else is open to it.
--
-- They give at most so many matches, in no order. Who needs the newest looks at the newest rows first.

-- What the messages of a ticket say, one row for many messages: fewer to look at than the messages themselves.
create index ticket_words_search on ticket_words using gin (words gin_trgm_ops);
drop index ticket_messages_search;

create function tickets_saying(pattern text, most int) returns setof bigint language plpgsql stable rows 500
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
begin
  return query select ticket_id from ticket_words where words like pattern limit most;
end $$;

create function tickets_named(pattern text, most int) returns setof bigint language plpgsql stable rows 500
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
begin
  return query select id from tickets where search_text like pattern limit most;
end $$;

create function customers_named(patterns text[], most int) returns setof bigint language plpgsql stable rows 500
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
declare
  lowered text[] := array(select lower(pattern) from unnest(patterns) pattern);
begin
  return query select id from customers where search_text like any (lowered) limit most;
end $$;

-- A reply writes only the part of a thread that it changes: the others would only be indexed again.
create or replace function gather_ticket_words() returns trigger language plpgsql as $$
declare
  touched bigint[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct ticket_id from added);
  elsif tg_op = 'UPDATE' then
    touched := array(select ticket_id from taken union select ticket_id from added);
  else
    touched := array(select distinct ticket_id from taken);
  end if;
  insert into ticket_words as w (ticket_id, part, words)
  select ticket_id, part, words from gathered_ticket_words where ticket_id = any (touched)
  on conflict (ticket_id, part) do update set words = excluded.words where w.words <> excluded.words;
  -- Only a thread that became shorter has parts to lose.
  if tg_op <> 'INSERT' then
    delete from ticket_words where (ticket_id, part) in (
      select ticket_id, part from ticket_words where ticket_id = any (touched)
      except select ticket_id, part from gathered_ticket_words where ticket_id = any (touched));
  end if;
  return null;
end $$;
