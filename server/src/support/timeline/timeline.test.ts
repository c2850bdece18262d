// @module-tag slow
import { type PermissionName, permissionNames } from '@limber/contract/access/permissions.ts'
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'
import { countTimeline, listTimeline } from '@limber/contract/support/timeline/timeline.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all } from '#app.ts'
import { DAY, shift } from '#platform/clock.ts'
import { writeAuditRow } from '#platform/db/work.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { copySampleCompany, SEED_TIMEOUT } from '../../../../seed/seed-company.testing.ts'
import { makeBooking } from '../customers/booking.factory.ts'
import { makeCreditEntry } from '../customers/credit-entry.factory.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { makeTransaction } from '../customers/transaction.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'

const CUSTOMERS = rounds(25, 200)

let server: TestServer
let company: TestServer
beforeAll(async () => {
  server = await startTestServer()
  company = await startTestServer({ database: await copySampleCompany() })
}, SEED_TIMEOUT)
afterAll(async () => {
  await server.stop()
  await company.stop()
})

interface Happening {
  kind: string
  id: number
  at: Date | null
}
type Query = {
  search?: string
  group?: 'bookings' | 'payments' | 'notes'
  until?: string
  limit?: string
  exceptTicket?: string
}

/** All entries, page by page. */
async function readAll(caller: TestCaller, id: number, query: Query = {}) {
  const entries = []
  let before: string | undefined
  do {
    const reply = await caller.send(listTimeline, {
      params: { id: String(id) },
      query: { limit: '100', ...query, ...(before ? { before } : {}) },
    })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.failed).toEqual([])
    entries.push(...reply.body.entries)
    before = reply.body.next ?? undefined
  } while (before)
  return entries
}

type Rights = ReadonlySet<PermissionName>
const account = (rights: Rights) => rights.has('users.overview') || rights.has('users.directory')

interface Table {
  name: string
  /** Whose row it is. */
  owner: string
  kinds: Readonly<
    Record<string, { at: string; sees(rights: Rights): boolean; when?: (row: Record<string, unknown>) => boolean }>
  >
  join?: string
  id?: string
}

const growth = (rights: Rights) => rights.has('growth.tab')
const partners = (rights: Rights) => rights.has('businesses.manage')
const training = (rights: Rights) => rights.has('training.manage')
const listed = (rights: Rights) => rights.has('users.tickets')
const read = (rights: Rights) => listed(rights) && rights.has('tickets.handle')
const unmerged = (row: Record<string, unknown>) => row.merged_into_id === null

/** Whole tables, filtered here: slow, simple, and nothing shared with the sources. */
const tables: readonly Table[] = [
  {
    name: 'bookings',
    owner: 'customer_id',
    kinds: {
      session: { at: 'starts_at', sees: account, when: ({ status }) => status !== 'cancelled' },
      session_canceled: { at: 'cancelled_at', sees: account },
      rating: { at: 'rated_or_told_at', sees: account },
    },
    join: 'select *, coalesce(rated_at, feedback_at) as rated_or_told_at from bookings',
  },
  { name: 'customer_transactions', owner: 'customer_id', kinds: { payment: { at: 'created_at', sees: account } } },
  { name: 'credit_entries', owner: 'customer_id', kinds: { credit: { at: 'created_at', sees: account } } },
  {
    name: 'rewards',
    owner: 'customer_id',
    kinds: { reward: { at: 'earned_at', sees: account }, reward_redeemed: { at: 'redeemed_at', sees: account } },
  },
  { name: 'customer_notes', owner: 'customer_id', kinds: { note: { at: 'created_at', sees: account } } },
  {
    name: 'referred',
    owner: 'referred_by_customer_id',
    join: 'select id, referred_by_customer_id, joined_at from customers where erased_at is null and merged_into_id is null',
    kinds: { referral: { at: 'joined_at', sees: account } },
  },
  {
    name: 'customers',
    owner: 'id',
    kinds: {
      joined: { at: 'joined_at', sees: account },
      email_verified: { at: 'email_verified_at', sees: account },
      waiver_signed: { at: 'waiver_signed_at', sees: account },
      signed_in: { at: 'last_login_at', sees: account },
    },
  },
  {
    name: 'audit_log',
    owner: 'customer',
    join: "select *, case subject when 'customer' then subject_id::bigint end as customer from audit_log",
    kinds: {
      change: {
        at: 'at',
        sees: account,
        when: ({ outcome, action }) =>
          outcome === 'done' && !['customer_noted', 'credits_adjusted', 'note_written'].includes(String(action)),
      },
    },
  },
  {
    name: 'tickets',
    owner: 'customer_id',
    kinds: { ticket: { at: 'created_at', sees: listed, when: unmerged } },
  },
  {
    name: 'ticket_messages',
    owner: 'customer_id',
    join: `select m.*, t.customer_id, t.merged_into_id, row_number() over (partition by m.ticket_id order by m.id) as number
      from ticket_messages m join tickets t on t.id = m.ticket_id`,
    kinds: {
      ticket_message: { at: 'created_at', sees: read, when: (row) => unmerged(row) && Number(row.number) > 1 },
    },
  },
  {
    name: 'ticket_notes',
    owner: 'customer_id',
    join: 'select n.*, t.customer_id, t.merged_into_id from ticket_notes n join tickets t on t.id = n.ticket_id',
    kinds: { ticket_note: { at: 'created_at', sees: read, when: unmerged } },
  },
  {
    name: 'ticket_ratings',
    owner: 'customer_id',
    id: 'ticket_id',
    join: 'select r.*, t.customer_id, t.merged_into_id from ticket_ratings r join tickets t on t.id = r.ticket_id',
    kinds: { ticket_rating: { at: 'rated_at', sees: listed, when: unmerged } },
  },
  {
    name: 'email_logs',
    owner: 'customer_id',
    kinds: {
      email: {
        at: 'created_at',
        sees: (rights) => rights.has('support.tab'),
        when: ({ type }) => type !== 'ticket_reply',
      },
    },
  },
  {
    name: 'texts',
    owner: 'customer',
    join: 'select t.id, t.sent_at, c.id as customer from texts t join customers c on c.phone = t.number',
    kinds: { text: { at: 'sent_at', sees: (rights) => account(rights) && rights.has('support.tab') } },
  },
  {
    name: 'leads',
    owner: 'customer_id',
    kinds: { lead: { at: 'created_at', sees: growth }, lead_converted: { at: 'converted_at', sees: growth } },
  },
  {
    name: 'lead_notes',
    owner: 'customer_id',
    join: 'select n.*, l.customer_id from lead_notes n join leads l on l.id = n.lead_id',
    kinds: { lead_note: { at: 'created_at', sees: growth } },
  },
  {
    name: 'training_enrolments',
    owner: 'customer_id',
    id: 'course_id',
    kinds: {
      enrolled: { at: 'enrolled_at', sees: training },
      course_completed: { at: 'completed_at', sees: training },
    },
  },
  { name: 'training_attempts', owner: 'customer_id', kinds: { quiz: { at: 'submitted_at', sees: training } } },
  {
    name: 'certifications',
    owner: 'customer_id',
    join: "select *, issued_on::timestamp at time zone 'America/Los_Angeles' as issued_at from certifications",
    kinds: {
      certification: { at: 'issued_at', sees: partners },
      certification_revoked: { at: 'revoked_at', sees: partners },
    },
  },
  {
    name: 'stretchers',
    owner: 'customer_id',
    kinds: {
      hired: { at: 'hired_at', sees: partners },
      trained: { at: 'trained_at', sees: partners },
      deactivated: { at: 'deactivated_at', sees: partners },
    },
  },
  {
    name: 'onsite_participants',
    owner: 'customer_id',
    join: 'select p.*, s.starts_at from onsite_participants p join onsite_sessions s on s.id = p.session_id',
    kinds: { onsite_session: { at: 'starts_at', sees: partners } },
  },
  {
    name: 'referrals',
    owner: 'referrer_id',
    join: `select r.id, r.referrer_id, r.converted_at from referrals r join customers c on c.id = r.customer_id
      where r.kind = 'user' and c.erased_at is null and c.merged_into_id is null`,
    kinds: { referral_converted: { at: 'converted_at', sees: (rights) => rights.has('growth.people') } },
  },
]

async function everything(db: TestServer['db']) {
  const rows: (Happening & { owner: number; sees(rights: Rights): boolean })[] = []
  for (const { name, join, owner, id = 'id', kinds } of tables) {
    const found = await sql<Record<string, unknown>>`${sql.raw(join ?? `select * from ${name}`)}`.execute(db)
    for (const row of found.rows)
      for (const [kind, { at, sees, when }] of Object.entries(kinds))
        if (row[owner] !== null && row[at] instanceof Date && (when?.(row) ?? true))
          rows.push({ kind, id: Number(row[id]), at: row[at] as Date, owner: Number(row[owner]), sees })
  }
  return Map.groupBy(rows, (row) => row.owner)
}

const keyOf = ({ kind, id, at }: Happening) => `${kind}-${id} ${at?.toISOString()}`
const sorted = (keys: readonly string[]) => [...keys].toSorted()

describe('the timeline of a customer', () => {
  it('knows every kind that an area registers, and each once', () => {
    const kinds = all.flatMap(({ timeline }) => timeline ?? []).map(({ kind }) => kind)
    expect(new Set(kinds).size).toBe(kinds.length)
    expect(sorted(kinds)).toEqual(sorted(tables.flatMap((table) => Object.keys(table.kinds))))
  })

  it(`is the union of all tables, for ${CUSTOMERS} customers and every role`, { timeout: 900_000 }, async () => {
    const expected = await everything(company.db)
    const { rows: people } = await sql<{ id: number }>`
      select id from customers order by hashint8(id) limit ${CUSTOMERS}`.execute(company.db)
    const rich = [...expected].toSorted(([, one], [, other]) => other.length - one.length).slice(0, CUSTOMERS / 5)
    const ids = [...new Set([...rich.map(([id]) => id), ...people.map(({ id }) => Number(id))])].slice(0, CUSTOMERS)
    expect(ids).toHaveLength(CUSTOMERS)
    const seen = new Set<string>()
    for (const [role, permissions] of Object.entries(rolePresets)) {
      const rights: Rights = new Set(permissions)
      const caller = company.as(...permissions)
      const mayOpen = (await caller.send(listTimeline, { params: { id: String(ids[0]) } })).status === 200
      for (const id of mayOpen ? ids : []) {
        const own = (expected.get(id) ?? []).filter(({ sees }) => sees(rights))
        const entries = await readAll(caller, id)
        const found = entries.map(({ key, at }) => `${key} ${at}`)
        expect(sorted(found), `${role} about customer ${id}`).toEqual(sorted(own.map(keyOf)))
        const moments = entries.map(({ at }) => at)
        expect(moments).toEqual(moments.toSorted().toReversed())
        for (const { kind } of own) seen.add(kind)
      }
    }
    // The sample company has almost every kind.
    expect(seen.size).toBeGreaterThan(20)
  })

  it('shows each kind to no one without its permissions', async () => {
    const kindsOf = new Map(
      [...(await everything(company.db))].map(([id, rows]) => [id, new Set(rows.map(({ kind }) => kind))]),
    )
    // Few customers that have every kind between them: each time the one with the most kinds that are still missing.
    const missing = new Set([...kindsOf.values()].flatMap((kinds) => [...kinds]))
    const customers: number[] = []
    while (missing.size > 0) {
      const added = (kinds: ReadonlySet<string>) => [...kinds].filter((kind) => missing.has(kind)).length
      const [id, kinds] = [...kindsOf].reduce((best, next) => (added(next[1]) > added(best[1]) ? next : best))
      customers.push(id)
      for (const kind of kinds) missing.delete(kind)
    }
    const seenBy = new Map(
      tables.flatMap((table) => Object.entries(table.kinds)).map(([kind, { sees }]) => [kind, sees]),
    )
    for (const name of permissionNames) {
      const caller = company.as(name)
      if ((await caller.send(listTimeline, { params: { id: String(customers[0]) } })).status !== 200) continue
      for (const id of customers) {
        const shown = new Set((await readAll(caller, id)).map(({ kind }) => kind))
        const own = [...(kindsOf.get(id) ?? [])]
        expect(own.filter((kind) => shown.has(kind) && !seenBy.get(kind)?.(new Set([name])))).toEqual([])
      }
    }
  })
})

describe('GET /api/support/users/:id/timeline', () => {
  it('pages without gaps when many entries share one moment', async () => {
    const { db, clock } = server
    const { id } = await makeCustomer(db, { joined_at: shift(clock.now(), -90 * DAY) })
    const at = shift(clock.now(), -3 * DAY)
    for (let index = 0; index < 12; index++) {
      await makeTransaction(db, { customer_id: id, created_at: at, amount: '10' })
      await makeCreditEntry(db, { customer_id: id, created_at: at, delta: 1, reason: 'x' })
    }
    const caller = server.as('users.overview')
    const whole = (await readAll(caller, id)).map(({ key }) => key)
    expect(whole).toHaveLength(25)
    for (const limit of ['1', '3', '5'])
      expect((await readAll(caller, id, { limit })).map(({ key }) => key)).toEqual(whole)
  })

  it('says it in words, with the balance after each credit', async () => {
    const { db, clock } = server
    const day = (n: number) => shift(clock.now(), -n * DAY)
    const { id } = await makeCustomer(db, { joined_at: day(90) })
    await makeCreditEntry(db, { customer_id: id, created_at: day(5), delta: 3, reason: 'Welcome' })
    await makeCreditEntry(db, { customer_id: id, created_at: day(2), delta: -1, kind: 'removal', reason: 'Mistake' })
    await makeBooking(db, { customer_id: id, starts_at: day(1), created_at: day(4), status: 'completed', rating: 2 })
    const entries = await readAll(server.as('users.overview'), id)
    const of = (kind: string) => entries.filter((entry) => entry.kind === kind)
    expect(of('credit')).toMatchObject([
      { title: '1 credit removed', quote: 'Mistake', balance: [3, 2] },
      { title: '3 credits granted', quote: 'Welcome', balance: [0, 3] },
    ])
    expect(of('rating')).toMatchObject([{ title: 'Rated', stars: 2, tone: 'red' }])
    expect(of('session')).toMatchObject([{ title: 'Session completed', tone: 'green' }])
  })

  it('names what a worker changed, without the values', async () => {
    const { id } = await makeCustomer(server.db)
    const actor = { call: 'test', workerName: 'Priya Raman' }
    await writeAuditRow(server.running.services, actor, {
      action: 'contact_corrected',
      subject: 'customer',
      subjectId: id,
      after: { changed: ['first_name', 'phone'] },
    })
    const entries = await readAll(server.as('users.overview'), id)
    expect(entries.find(({ kind }) => kind === 'change')).toMatchObject({
      title: 'Priya Raman',
      text: 'changed the first name and phone',
    })
  })

  it('searches, filters and jumps to a day', async () => {
    const { db, clock } = server
    const day = (n: number) => shift(clock.now(), -n * DAY)
    const customer = await makeCustomer(db, { joined_at: day(90) })
    const { id } = customer
    await makeTicket(db, {
      customer_id: id,
      customer_email: customer.email,
      subject: 'A 100% refund',
      created_at: day(3),
    })
    await makeTransaction(db, { customer_id: id, created_at: day(40) })
    const caller = server.as('users.overview', 'users.tickets')
    const kinds = async (query: Query) => (await readAll(caller, id, query)).map(({ kind }) => kind)
    expect(await kinds({ search: '100%' })).toEqual(['ticket'])
    expect(await kinds({ search: '100_' })).toEqual([])
    expect(await kinds({ group: 'payments' })).toEqual(['payment'])
    expect(await kinds({ until: day(30).toISOString().slice(0, 10) })).toEqual(['payment', 'joined'])
  })

  it('leaves out one ticket, with its replies, notes and rating', async () => {
    const { db, clock } = server
    const { id, email } = await makeCustomer(db)
    const address = { customer_id: id, customer_email: email }
    const ticket = await makeTicket(db, { ...address, created_at: shift(clock.now(), -DAY) })
    const other = await makeTicket(db, { ...address, created_at: shift(clock.now(), -2 * DAY) })
    const caller = server.as('users.overview', 'users.tickets', 'tickets.handle')
    const { id: workerId } = await caller.worker()
    for (const one of [ticket, other]) {
      await sql`insert into ticket_notes (ticket_id, worker_id, content, created_at)
        values (${one.id}, ${workerId}, 'Called', now())`.execute(db)
      await sql`insert into ticket_messages (ticket_id, from_customer, content, created_at, ticket_version)
        values (${one.id}, true, 'One', now(), 1), (${one.id}, true, 'Two', now(), 1)`.execute(db)
    }
    const tickets = async (query: Query) =>
      (await readAll(caller, id, query)).flatMap(({ link }) => (link?.to === 'ticket' ? [link.id] : []))
    const shown = await tickets({ exceptTicket: String(ticket.id) })
    expect(new Set(shown)).toEqual(new Set([other.id]))
    expect((await tickets({})).length).toBe(2 * shown.length)
    expect(shown.length).toBeGreaterThan(2)
  })

  it('counts what the reader may see', async () => {
    const { db } = server
    const { id } = await makeCustomer(db)
    await makeTransaction(db, { customer_id: id })
    const counts = async (caller: TestCaller) =>
      Object.fromEntries(
        (await caller.send(countTimeline, { params: { id: String(id) } })).body.groups.map(({ group, count }) => [
          group,
          count,
        ]),
      )
    expect(await counts(server.as('users.overview'))).toMatchObject({ payments: 1, account: 1, bookings: 0 })
    expect(await counts(server.as('training.manage'))).toEqual({ training: 0 })
  })

  it('shows the other sources when one fails, and names it', async () => {
    const own = await startTestServer()
    try {
      const { id } = await makeCustomer(own.db)
      await makeTransaction(own.db, { customer_id: id })
      await sql`alter table rewards rename column earned_at to lost_at`.execute(own.db)
      const { status, body } = await own.as('users.overview').send(listTimeline, { params: { id: String(id) } })
      expect(status).toBe(200)
      expect(body.failed).toEqual(['Rewards'])
      expect(body.entries.map(({ kind }) => kind)).toEqual(['payment', 'joined'])
    } finally {
      await own.stop()
    }
  })

  it('refuses unknown customers and bad cursors', async () => {
    const caller = server.as('users.overview')
    const unknown = { params: { id: '999999' } }
    expect((await caller.send(listTimeline, unknown)).status).toBe(404)
    expect((await caller.send(countTimeline, unknown)).status).toBe(404)
    const { id } = await makeCustomer(server.db)
    const bad = { params: { id: String(id) }, query: { before: 'now' } }
    expect((await caller.send(listTimeline, bad)).status).toBe(400)
    expect((await server.as('payroll.audit').send(listTimeline, unknown)).status).toBe(403)
  })
})
