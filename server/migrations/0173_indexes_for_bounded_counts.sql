-- The number that texts are sent from, without walking past everything that customers wrote since.
create index texts_outgoing on texts (sent_at desc, id desc) where is_outgoing;

-- How many people met an error lately, counted up to a bound.
create index error_people_of_group on error_people (group_id, last_at desc);

-- What was given up, by channel.
create index outbox_dead on outbox (channel) where state = 'dead';
