-- Mails that wait or failed are found from their few outbox rows, however long the log is.
create index email_logs_outbox_key on email_logs (outbox_key) where outbox_key is not null;
