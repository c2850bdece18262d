-- Emails are posted to the address with this key, and replies can sign in with the token of the mailbox.
alter table mailboxes
  add column forward_hash bytea,
  add column smtp_auth    text not null default 'password' check (smtp_auth in ('password', 'oauth')),
  add constraint mailboxes_forward_hash unique (forward_hash);
