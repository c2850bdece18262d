// @module-tag slow
import { countTickets, listTickets } from '@limber/contract/support/tickets/ticket.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { explainStatements, watchPlans } from '#platform/testing/testing.plans.ts'
import { copyTemplate, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'

const TICKETS = 4_800
const MESSAGES_EACH = 2

/** Words that occur in every ticket, in one of 20, in one of 400, only in the oldest, and in none. */
const bands = {
  hello: TICKETS,
  charged: TICKETS / 20,
  voucher: TICKETS / 400,
  trampoline: 1,
  zzzqqq: 0,
}
type Word = keyof typeof bands

let server: TestServer
let agent: TestCaller
/** Connected before `explain` logging is on, which would take longer than the statements. */
let data: pg.Client
const plans = watchPlans()
beforeAll(async () => {
  const database = await copyTemplate()
  data = new pg.Client({ connectionString: database.url })
  await data.connect()
  await data.query(`
    insert into tickets (customer_email, subject, status, created_at, updated_at, message_count)
    select 'guest' || n || '@example.com', 'Ticket ' || n, 'closed', now() - n * interval '1 hour', now() - n * interval '1 hour', ${MESSAGES_EACH}
    from generate_series(1, ${TICKETS}) n`)
  await data.query(`
    insert into ticket_messages (ticket_id, from_customer, content, created_at, ticket_version)
    select t.id, true, 'Hello, ' || case when m = 1 and n % 20 = 0 then 'my card was charged' else 'please look' end
      || case when m = 1 and n % 400 = 0 then ' about the voucher' else '' end
      || case when m = 1 and n = ${TICKETS} then ' on a trampoline' else '' end, t.created_at, 1
    from (select id, created_at, row_number() over (order by id) as n from tickets) t, generate_series(1, ${MESSAGES_EACH}) m`)
  await data.query('create table kept_messages as select id, content from ticket_messages')
  await data.query('create table kept_words as select * from ticket_words')
  // From here on only the statistics change; the searchable text is stored next to the messages.
  await data.query('set session_replication_role = replica')
  await data.query('vacuum analyze')
  await explainStatements(database.url)
  server = await startTestServer({ database })
  agent = server.as('tickets.handle')
})
afterAll(async () => {
  plans.stop()
  await data.end()
  await server.stop()
})

const ANALYZE = 'analyze tickets, ticket_messages, ticket_words'
const say = (words: string) => [
  `update ticket_messages set content = '${words}'`,
  `update ticket_words set words = '${words}'`,
  ANALYZE,
  'update ticket_messages m set content = k.content from kept_messages k where k.id = m.id',
  'update ticket_words w set words = k.words from kept_words k where k.ticket_id = w.ticket_id and k.part = w.part',
]

/** Statistics that the planner might have about the same rows. */
const statistics: Record<string, readonly string[]> = {
  'just collected': [ANALYZE],
  'from few rows': [
    'alter table ticket_words alter column words set statistics 1',
    'alter table ticket_messages alter column content set statistics 1',
    ANALYZE,
  ],
  'from a day when every ticket contained every word': say(Object.keys(bands).join(' ')),
  'from a day when no ticket contained any of them': say('nothing'),
  'none at all': [
    `delete from pg_statistic where starelid in ('ticket_words'::regclass, 'ticket_messages'::regclass, 'tickets'::regclass)`,
  ],
}

async function rowsRead(search: Word): Promise<number> {
  const { status, body } = await agent.send(countTickets, { query: { search } })
  expect(status).toBe(200)
  expect(body.matching, search).toBe(Math.min(bands[search], 1_000))
  expect((await agent.send(listTickets, { query: { search } })).status).toBe(200)
  return plans.cost().read
}

it('uses the same plan whatever the statistics say', async () => {
  const read = new Map<Word, Record<string, number>>()
  for (const [name, collect] of Object.entries(statistics)) {
    for (const statement of collect) await data.query(statement)
    // Dead rows from updates would be read too.
    await data.query('vacuum tickets, ticket_messages, ticket_words')
    for (const word of Object.keys(bands) as Word[]) read.set(word, { ...read.get(word), [name]: await rowsRead(word) })
  }
  for (const [word, counts] of read) {
    const [least, most] = [Math.min(...Object.values(counts)), Math.max(...Object.values(counts))]
    expect(most / least, `${word}: ${JSON.stringify(counts)}`).toBeLessThan(1.2)
  }
})
