-- Addresses of events that were stored with a link that opens something, or with somebody's email address: only the
-- route stays. What merely has a short query keeps it until its day is dropped; it is no longer shown.
update events set url = path
where url <> path and (url ~ '@|%40' or url ~ '[?#&][^=]*=[^&]{12,}' or url ~ '/[^/?#]{16,}');

update event_failures set url = path
where url <> path and (url ~ '@|%40' or url ~ '[?#&][^=]*=[^&]{12,}' or url ~ '/[^/?#]{16,}');
