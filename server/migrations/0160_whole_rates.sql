-- A rate of 1 is one: everything is withheld.
alter table payroll_settings drop constraint payroll_settings_tax_rate_check;
alter table payroll_settings add constraint payroll_settings_tax_rate_check check (tax_rate between 0 and 1);
