-- Tickets that exist. Apart from the triggers, so that those do not lock their tables for as long as this takes.
insert into ticket_report_blocks (block) select distinct id / 256 from tickets on conflict do nothing;
