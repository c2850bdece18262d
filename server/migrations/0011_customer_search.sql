-- People type "Jose Munoz" and mean José Muñoz: names with accents are searched with and without them.
alter table customers drop column search_text;
alter table customers add column search_text text not null generated always as (
  lower(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(phone, ''))
  || case when first_name || last_name ~ '[^ -~]' then ' ' || lower(translate(first_name || ' ' || last_name,
    'ÁÀÂÄÃÅáàâäãåÉÈÊËéèêëÍÌÎÏíìîïÓÒÔÖÕóòôöõÚÙÛÜúùûüÑñÇçÝýÿ',
    'AAAAAAaaaaaaEEEEeeeeIIIIiiiiOOOOOoooooUUUUuuuuNnCcYyy')) else '' end
) stored;
create index customers_search on customers using gin (search_text gin_trgm_ops);
