-- A participant of an on-site session is known by the address alone until it has an account: whoever is erased is looked for by it.
create index onsite_participants_email on onsite_participants (lower(email));
