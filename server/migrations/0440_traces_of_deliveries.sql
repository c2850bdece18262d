-- A delivery belongs to the trace of the request that caused it.
alter table outbox add column traceparent text;
