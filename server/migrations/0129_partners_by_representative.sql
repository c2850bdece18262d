-- A mail to a representative counts as a contact with the partner, whoever else it went to.
create index businesses_admin_email on businesses (admin_email) where archived_at is null;
