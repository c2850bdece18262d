-- A business is also found by the name of its representative. The expression of a column made by one cannot be changed
-- in PostgreSQL 15 and 16, so the column is made anew; its index goes with it.
alter table businesses drop column search_text;
alter table businesses add column search_text text not null
  generated always as (lower(name || ' ' || custom_path || ' ' || admin_email || ' ' || coalesce(rep_name, ''))) stored;
create index businesses_search on businesses using gin (search_text gin_trgm_ops);
