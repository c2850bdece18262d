-- A certification type names the courses it needs. Nobody without every required certification is scheduled on site.

create table certification_courses (
  type_id   bigint not null references certification_types (id) on delete cascade,
  course_id bigint not null references training_courses (id) on delete cascade,
  primary key (type_id, course_id)
);
create index certification_courses_course on certification_courses (course_id);

-- Each warning about the end of a certification, so that it is sent once.
create table certification_warnings (
  certification_id bigint not null references certifications (id) on delete cascade,
  -- A certification that gets another last day is warned about again.
  valid_until      date not null,
  days             int not null check (days in (60, 30, 7)),
  warned_at        timestamptz not null,
  primary key (certification_id, valid_until, days)
);

-- Whatever writes a session, and whoever revokes a certification in the meantime.
create function refuse_uncertified_stretcher() returns trigger language plpgsql as $$
begin
  if exists (
    select from certification_types t
    where t.is_required and t.retired_at is null and not exists (
      select from certifications c join stretchers s on s.customer_id = c.customer_id
      where s.id = new.stretcher_id and c.type_id = t.id and c.revoked_at is null
        and (c.valid_until is null or c.valid_until >= company_day(new.starts_at))
      for share of c)) then
    raise exception 'The stretcher lacks a required certification on that day'
      using errcode = 'restrict_violation', constraint = 'onsite_sessions_stretcher_certified';
  end if;
  return new;
end $$;
create trigger onsite_sessions_stretcher_certified before insert or update of stretcher_id, starts_at, cancelled_at on onsite_sessions
  for each row when (new.cancelled_at is null) execute function refuse_uncertified_stretcher();
