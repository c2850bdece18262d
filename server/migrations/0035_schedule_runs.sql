-- A schedule that runs every minute has many runs and few failures: the last error is found without walking them all.
create index schedule_runs_failed on schedule_runs (schedule, id desc) where state = 'failed';
create index schedule_runs_open on schedule_runs (schedule) where state in ('waiting', 'running');
