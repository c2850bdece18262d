-- A plan from when the table was empty would read all of it once it is large.
alter function open_batch(text, text, text[], text[], text, text, text[]) set plan_cache_mode = force_custom_plan;
