import { describe, expect, it } from 'vitest'
import { breachesOf } from './rules.ts'

const problems = (sql: string) => breachesOf(sql).map(({ problem }) => problem)

describe('a migration', () => {
  it.each([
    ['create index a on bookings (x);', 'create the index concurrently'],
    ['create unique index a on bookings (x);', 'create the index concurrently'],
    ['create index concurrently if not exists a on bookings (x);', 'begin the file with'],
    ['-- outside a transaction\ncreate index concurrently a on bookings (x);', 'if not exists'],
    ['-- outside a transaction\nalter table bookings add column x text;', 'do no harm when it runs again'],
    ['alter table bookings add column x text not null;', 'needs a default'],
    ["alter table bookings add x text not null check (x <> 'default');", 'needs a default'],
    ['alter table bookings add column x timestamptz default now();', 'rewrites the table'],
    ['alter table bookings add column x uuid not null default gen_random_uuid();', 'rewrites the table'],
    ['alter table bookings add column x int generated always as (y + 1) stored;', 'rewrites the table'],
    ['alter table bookings drop column x;', 'drop it in a later release'],
    ['alter table bookings add column y int, drop x;', 'drop it in a later release'],
    ['alter table bookings rename column x to y;', 'old name'],
    ['alter table bookings rename to orders;', 'old name'],
    ['alter table bookings alter column x type bigint;', 'rewrites the table'],
    ['alter table bookings alter x set not null;', 'not valid'],
    ['alter table bookings add constraint a check (x > 0);', 'not valid'],
    ['alter table bookings add constraint a foreign key (x) references customers (id);', 'not valid'],
    ['alter table bookings add constraint a unique (x);', 'using it'],
    ['alter table bookings add primary key (x);', 'using it'],
    ['drop table bookings;', 'later release'],
    ['update bookings set x = 1 where x is null;', 'in batches'],
    ['delete from bookings where x = 1;', 'in batches'],
    ['lock table bookings;', 'locks a table'],
  ])('%s is refused', (sql, problem) => {
    expect(problems(sql)).toEqual([expect.stringContaining(problem)])
  })
  it.each([
    'create table orders (id bigint, x text not null);\ncreate index orders_x on orders (x);\nupdate orders set x = 1;',
    '-- outside a transaction\ncreate index concurrently if not exists a on bookings (x);\ndrop index concurrently if exists b;',
    '-- outside a transaction\nalter table bookings validate constraint a;',
    'alter table bookings add column x text, add column y int not null default 0;',
    'alter table bookings add constraint a check (x > 0) not valid;',
    'alter table bookings add constraint a unique using index b;',
    'alter table bookings drop constraint a, alter column x drop not null, alter column x drop default;',
    'create function f() returns void language sql as $$ update bookings set x = 1; $$;',
    "-- drop table bookings;\ninsert into settings values ('drop table x; update y');",
  ])('%s is fine', (sql) => {
    expect(breachesOf(sql)).toEqual([])
  })
  it('names the line', () => {
    expect(breachesOf('-- why\n\ncreate table a (b int);\n\ndrop table c;')).toMatchObject([{ line: 5 }])
  })
})
