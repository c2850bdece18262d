-- What a worker sends within a day has an end, whatever becomes of the files: one that is deleted again was sent as well. Kept
-- for a day.
create table worker_uploads (
  id        bigint generated always as identity primary key,
  worker_id bigint not null references workers (id),
  bytes     bigint not null check (bytes > 0),
  sent_at   timestamptz not null
);
create index worker_uploads_worker on worker_uploads (worker_id, sent_at);

insert into worker_uploads (worker_id, bytes, sent_at)
select worker_id, original_size, created_at from training_assets
where worker_id is not null and created_at > now() - interval '1 day';
