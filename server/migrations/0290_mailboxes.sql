-- Mailboxes of the support desk, the emails that were read from them, and what an email says besides its text.
create table mailboxes (
  id              bigint generated always as identity primary key,
  address         text not null check (length(address) <= 254),
  name            text not null,
  is_enabled      boolean not null default true,
  -- New tickets get a confirmation by email.
  confirms        boolean not null default false,
  incoming        text not null check (incoming in ('imap', 'forward')),
  imap_host       text not null default '',
  imap_port       integer not null default 993 check (imap_port between 1 and 65535),
  imap_security   text not null default 'tls' check (imap_security in ('tls', 'starttls', 'none')),
  imap_username   text not null default '',
  imap_auth       text not null default 'password' check (imap_auth in ('password', 'oauth')),
  -- The password or the refresh token, sealed by the application.
  imap_secret     bytea,
  oauth_url       text not null default '',
  oauth_client_id text not null default '',
  oauth_secret    bytea,
  -- Empty: replies leave through the mail server of the company.
  smtp_host       text not null default '',
  smtp_port       integer not null default 587 check (smtp_port between 1 and 65535),
  smtp_security   text not null default 'starttls' check (smtp_security in ('tls', 'starttls', 'none')),
  smtp_username   text not null default '',
  smtp_secret     bytea,
  version         integer not null default 1,
  created_by      bigint not null references workers (id),
  created_at      timestamptz not null,
  -- Emails that the server got before this are not read.
  starts_at       timestamptz not null,
  -- The last email that was read, under the numbering of the server.
  uid_validity    bigint,
  last_uid        bigint not null default 0,
  connected_at    timestamptz,
  read_at         timestamptz,
  last_message_at timestamptz,
  error           text,
  error_at        timestamptz,
  -- The process that reads it, and its last sign of life by the database's clock.
  runner          text,
  beat_at         timestamptz,
  constraint mailboxes_address unique (address),
  check (incoming <> 'imap' or imap_host <> '')
);
create index mailboxes_created_by on mailboxes (created_by);

-- Each email is taken once per mailbox: by the hash of its Message-ID, or of the whole email when it has none.
create table mailbox_mails (
  mailbox_id  bigint not null references mailboxes (id) on delete cascade,
  digest      bytea not null,
  message_id  bigint references ticket_messages (id) on delete set null,
  received_at timestamptz not null,
  primary key (mailbox_id, digest)
);
create index mailbox_mails_digest on mailbox_mails (digest);
create index mailbox_mails_message on mailbox_mails (message_id) where message_id is not null;

-- The mailbox that a ticket came through; replies leave from its address.
create table ticket_mailboxes (
  ticket_id  bigint primary key references tickets (id) on delete cascade,
  mailbox_id bigint not null references mailboxes (id) on delete cascade
);
create index ticket_mailboxes_mailbox on ticket_mailboxes (mailbox_id);

create table ticket_emails (
  message_id bigint primary key references ticket_messages (id) on delete cascade,
  kind       text not null check (kind in ('message', 'auto_reply', 'bounce', 'unreadable')),
  is_spam    boolean not null,
  -- What the server of the mailbox found out about the sender.
  spf        text check (spf in ('pass', 'fail', 'none')),
  dkim       text check (dkim in ('pass', 'fail', 'none')),
  dmarc      text check (dmarc in ('pass', 'fail', 'none')),
  -- Earlier emails that this one repeats.
  quoted     text not null default ''
);
