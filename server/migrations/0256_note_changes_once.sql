-- Changes of a statement have one number and one time: read once for the statement, not for each of its rows. This is in
-- every function that notes changes, and in the one that makes them.
do $$
declare
  per_row text := 'change_seq(), change_time()';
  definition text;
begin
  for definition in
    select pg_get_functiondef(p.oid) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and position(per_row in p.prosrc) > 0
  loop
    execute replace(definition, per_row, '(select change_seq()), (select change_time())');
  end loop;
end $$;

-- Room for a second version of each row on its page: then a change of a column without an index writes no index.
alter table customers set (fillfactor = 90);
