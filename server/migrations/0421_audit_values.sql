-- What personal fields of a record were before and after a change. The audit log keeps no personal data; these rows are
-- deleted when the person is erased.
create table audit_values (
  audit_id   bigint primary key references audit_log (id),
  subject    text not null,
  subject_id text not null,
  before     jsonb not null,
  after      jsonb not null
);
create index audit_values_record on audit_values (subject, subject_id);
