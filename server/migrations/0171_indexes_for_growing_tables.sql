-- When a worker was last here, without reading every session they ever had.
create index sessions_last_seen on sessions (worker_id, last_seen_at);

-- What a stretcher has ahead, without the bookings of all others or all their years.
create index bookings_ahead on bookings (stretcher_id, starts_at) where status in ('requested', 'confirmed');
