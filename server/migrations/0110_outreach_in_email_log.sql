-- Mails to partners stand in the e-mail log beside those to customers.
alter table email_logs drop constraint email_logs_type_check;
alter table email_logs add constraint email_logs_type_check check (type in
  ('ticket_confirmation', 'ticket_reply', 'verification', 'notification', 'booking', 'receipt', 'outreach'));
