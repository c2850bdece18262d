-- How exactly an address is located: by its coordinates, or only by its postal code.
alter table customers
  add column zone_precision text check (zone_precision in ('address', 'postal_code')),
  -- When staff corrected a contact field, by its name: other systems do not overwrite it with an older value.
  add column corrected_at jsonb not null default '{}',
  add check (zone_precision is null or latitude is not null);
