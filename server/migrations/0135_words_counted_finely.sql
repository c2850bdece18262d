-- Whether a word is looked up or met by walking back through the messages depends on how many are thought to say it. With
-- a hundred samples one in four hundred is taken for none or for one in a hundred, and the walk may read half of the table.
alter index ticket_messages_search alter column 1 set statistics 1000;
analyze ticket_messages;
