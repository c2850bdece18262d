-- Names of places and interests are looked up with every try until their ad set is there: an audience that was edited in
-- between must not be held against the numbers of the one before.
alter table campaign_pushes drop column targeting;
