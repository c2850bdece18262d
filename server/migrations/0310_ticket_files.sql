-- Files of ticket messages, and the HTML of emails.
create table ticket_files (
  id         bigint generated always as identity primary key,
  -- The name in the storage; null when the content was not stored.
  name       text,
  -- Set until the reply is sent that the file was uploaded for.
  ticket_id  bigint references tickets (id) on delete cascade,
  message_id bigint references ticket_messages (id) on delete cascade,
  -- Who uploaded it; null for files of customers.
  worker_id  bigint references workers (id),
  -- `inline`: the email shows it in its text. `original`: the whole email, which could not be read.
  role       text not null check (role in ('attachment', 'inline', 'original')),
  filename   text not null,
  -- Detected from the content.
  mime_type  text not null,
  bytes      integer not null check (bytes >= 0),
  -- Of an image that can be shown.
  width      integer,
  height     integer,
  content_id text,
  -- `unscanned`: waits for the virus scanner. The content of the last two was not stored.
  state      text not null check (state in ('ready', 'unscanned', 'infected', 'too_large')),
  -- Null when no scanner was set up.
  scanned_at timestamptz,
  virus      text,
  created_at timestamptz not null,
  constraint ticket_files_name unique (name),
  check ((ticket_id is null) <> (message_id is null)),
  check ((name is null) = (state in ('infected', 'too_large')))
);
create index ticket_files_message on ticket_files (message_id, id);
create index ticket_files_draft on ticket_files (ticket_id) where ticket_id is not null;
create index ticket_files_worker on ticket_files (worker_id);
create index ticket_files_unscanned on ticket_files (id) where state = 'unscanned';

alter table ticket_emails
  -- Sanitized. It refers to inline files by their Content-ID.
  add column html       text,
  add column has_text   boolean not null default true,
  -- It asks for images of other servers.
  add column has_remote boolean not null default false;

-- Senders whose emails may load images of other servers.
create table image_senders (
  address    text primary key,
  worker_id  bigint not null references workers (id),
  created_at timestamptz not null
);
create index image_senders_worker on image_senders (worker_id);
