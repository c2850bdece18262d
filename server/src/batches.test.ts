import { participantCalls } from '@limber/contract/businesses/sync/participant-sync.ts'
import type { BatchReply } from '@limber/contract/kit/batch.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { leadCalls } from '@limber/contract/marketing/sync/lead-sync.ts'
import { historyCalls } from '@limber/contract/payroll/history/history-sync.ts'
import { stretcherCalls } from '@limber/contract/stretchers/sync/stretcher-sync.ts'
import { bookingCalls } from '@limber/contract/support/sync/booking-sync.ts'
import { creditCalls } from '@limber/contract/support/sync/credit-sync.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { rewardCalls } from '@limber/contract/support/sync/reward-sync.ts'
import { ticketCalls } from '@limber/contract/support/sync/ticket-sync.ts'
import { transactionCalls } from '@limber/contract/support/sync/transaction-sync.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { DAY, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'

/** In the order in which their records name each other. */
const calls = {
  customers: customerCalls,
  stretchers: stretcherCalls,
  bookings: bookingCalls,
  transactions: transactionCalls,
  credits: creditCalls,
  rewards: rewardCalls,
  participants: participantCalls,
  leads: leadCalls,
  tickets: ticketCalls,
  'payroll/history': historyCalls,
} as const
type Name = keyof typeof calls
const names = Object.keys(calls) as Name[]

interface Sent {
  to: Name
  item: { external_id: string } & Record<string, unknown>
}

const RECORDS = 2
const VERSIONS = [1, 2, 3]

let server: TestServer
let zone: number
let session: number
beforeAll(async () => {
  server = await startTestServer()
  zone = (await makeZone(server.db)).id
})
afterAll(() => server.stop())

const at = (day: number, hour = 9) => new Date(Date.UTC(2026, 8, day, hour)).toISOString()
const message = (n: number, from_customer: boolean) => ({ from_customer, content: `Line ${n}`, created_at: at(n) })

/** Whole records, each in several versions. `who` keeps the people of one company apart from those of another. */
function everything(who: string): Sent[] {
  const items: Sent[] = []
  const add = (to: Name, item: Sent['item']) => items.push({ to, item })
  for (let n = 1; n <= RECORDS; n++) {
    for (const v of VERSIONS) {
      const head = { updated_at: at(v) }
      const email = (kind: string) => `${kind}-${n}-${v === 3 ? 2 : v}-${who}@example.com`
      add('customers', {
        ...{ ...head, external_id: `c-${n}`, first_name: `Avery${v}`, last_name: 'Brooks', email: email('c') },
        ...{ points: v * n, rank: v > 1 ? 'Silver' : 'Bronze', address: { city: `City ${v}` } },
        referred_by: n > 1 ? { customer: `c-${n - 1}` } : null,
      })
      add('stretchers', {
        ...{ ...head, external_id: `s-${n}`, first_name: 'Sam', last_name: `Okafor${v}`, email: email('s') },
        ...{ hired_at: at(1), zone_id: zone, status: v === 1 ? 'in_training' : 'active' },
      })
      add('bookings', {
        ...{ ...head, external_id: `b-${n}`, customer: `c-${n}`, stretcher: `s-${n}`, zone_id: zone },
        ...{ starts_at: at(5, n + v), ends_at: at(5, n + v + 1), price: `${90 + v}`, created_at: at(1, 1) },
        status: v === 1 ? 'requested' : v === 2 ? 'confirmed' : 'completed',
        ...(v === 3 && { rating: 5, rated_at: at(6) }),
      })
      add('transactions', {
        ...{ ...head, external_id: `t-${n}`, customer: `c-${n}`, type: 'credit_purchase', amount: `${100 + v}` },
        ...{ credits: 5, status: 'completed', created_at: at(4) },
      })
      add('rewards', {
        ...{ ...head, external_id: `r-${n}`, customer: `c-${n}`, type: `Free session ${v}`, points: v },
        ...{ details: null, earned_at: at(2), expires_at: v === 3 ? null : at(20), redeemed_at: null },
      })
      add('participants', {
        ...{ ...head, external_id: `p-${n}`, session_id: session, slot: 2 * n - (v % 2), name: `Ana ${v}` },
        ...{ email: email('p'), customer: `c-${n}`, rating: v, booked_at: at(1) },
      })
      add('leads', {
        ...{ ...head, external_id: `l-${n}`, first_name: `Robin${v}`, last_name: 'Vega', email: email('l') },
        ...{ phone: null, source: v === 1 ? 'website' : 'event', note: `Note ${v}`, campaign_id: null },
      })
      add('tickets', {
        ...{ ...head, external_id: `z-${n}`, customer_email: `z-${n}-${who}@example.com`, subject: `Too short ${v}` },
        ...{
          status: v === 3 ? 'closed' : 'open',
          priority: v === 2 ? 'high' : 'medium',
          created_at: at(1),
          silent: true,
        },
        messages: Array.from({ length: v }, (_, place) => message(place + 1, place % 2 === 0)),
      })
    }
    const credit = { customer: `c-${n}`, created_at: at(7) }
    add('credits', { ...credit, external_id: `in-${n}`, delta: 5, kind: 'purchase', transaction: `t-${n}` })
    add('credits', { ...credit, external_id: `out-${n}`, delta: -4, kind: 'use', booking: `b-${n}` })
    add('payroll/history', {
      ...{ external_id: `h-${n}`, stretcher: `s-${n}`, type: 'session', amount: `${n}00.00`, withheld: '10.00' },
      ...{ employer_tax: '5.00', work_date: '2026-03-02', pay_date: '2026-03-13' },
    })
  }
  return items
}

type Program = Awaited<ReturnType<typeof asProgram>>

async function sendBatch(program: Program, to: Name, items: readonly Sent['item'][]): Promise<BatchReply> {
  const { status, body, text } = await program.send(calls[to].batch, { body: { items: [...items] } })
  expect(status, text).toBe(200)
  return body
}

/** Sends batches, some of them at once, and again what was rejected because something else was not there yet. */
async function sendAll(program: Program, groups: readonly (readonly Sent[])[][]) {
  let left: Sent[] = []
  const deliver = async (sent: readonly Sent[]) => {
    const [first] = sent
    if (!first) return
    const { results } = await sendBatch(
      program,
      first.to,
      sent.map(({ item }) => item),
    )
    left.push(...sent.filter((_, place) => results[place]?.status === 'rejected'))
  }
  for (const group of groups) await Promise.all(group.map(deliver))
  for (let round = 0; left.length > 0; round++) {
    const again = left
    left = []
    for (const name of names) await deliver(again.filter(({ to }) => to === name))
    if (round > 5) expect(left, 'rejected again and again').toEqual([])
  }
}

// These say when something was noticed, or follow from the order of states that a record went through.
const OWN_TIMES = [
  'id',
  'updated_at',
  'external_ids',
  'created_at',
  'trained_at',
  'status_since',
  'waiting_since',
  'earner_id',
]

/** Every record as a program reads it, with external ids in place of ours. */
async function readAll(program: Program, source: string): Promise<Record<string, unknown>> {
  const records: [string, Record<string, unknown>][] = []
  const known = new Map<unknown, string>()
  for (const name of names) {
    const call: CallDefinition = calls[name].list
    const { status, body, text } = await program.send(call, { query: { limit: '500' } })
    expect(status, text).toBe(200)
    for (const record of (body as { items: (Record<string, unknown> & { external_ids: Record<string, string> })[] })
      .items) {
      const externalId = record.external_ids[source]
      if (externalId === undefined) continue
      records.push([`${name} ${externalId}`, record])
      known.set(`${name} ${record.id}`, `${name} ${externalId}`)
    }
  }
  records.sort(([a], [b]) => (a < b ? -1 : 1))
  expect(records).toHaveLength(new Set(everything(source).map(({ to, item }) => `${to} ${item.external_id}`)).size)
  const named: Record<string, Name> = { customer: 'customers', stretcher: 'stretchers', booking: 'bookings' }
  const shown = records.map(([key, record]) => {
    const kept = Object.entries(record).filter(([name]) => !OWN_TIMES.includes(name))
    const resolved = kept.map(([name, value]) => {
      const to = name === 'transaction' ? 'transactions' : named[name]
      // The account of a stretcher has no external id.
      return [name, to && value !== null ? (known.get(`${to} ${value}`) ?? 'an account') : value] as const
    })
    const referrer = (record.referred_by as { customer?: number } | null)?.customer
    return [key, { ...Object.fromEntries(resolved), referred_by: known.get(`customers ${referrer}`) ?? null }] as const
  })
  return JSON.parse(JSON.stringify(Object.fromEntries(shown)).replaceAll(source, 'company'))
}

/** Cuts a list into parts and those into batches by resource, and these into groups that are sent at once. */
function cut(sent: readonly Sent[], size: number, atOnce: number): (readonly Sent[])[][] {
  const batches: Sent[][] = []
  for (let start = 0; start < sent.length; start += size)
    batches.push(...Map.groupBy(sent.slice(start, start + size), ({ to }) => to).values())
  return Array.from({ length: Math.ceil(batches.length / atOnce) }, (_, group) =>
    batches.slice(group * atOnce, (group + 1) * atOnce),
  )
}

let companies = 0
async function makeCompany() {
  const source = `company-${++companies}-x`
  session = (await makeSession(server.db, { starts_at: shift(server.clock.now(), -DAY) })).id
  return { source, program: await asProgram(server, { source }) }
}

it('ends in the same state whatever the order, the repetition and the size of batches', async () => {
  const sorted = await makeCompany()
  const whole = everything(sorted.source)
  const inOrder = names.flatMap((name) => whole.filter(({ to }) => to === name))
  await sendAll(sorted.program, cut(inOrder, 1000, 1))
  const expected = await readAll(sorted.program, sorted.source)
  const sessionOf = (state: object) =>
    JSON.parse(JSON.stringify(state).replaceAll(/"session_id":\d+/g, '"session_id":0'))

  const count = whole.length
  const Order = fc.record({
    // Every item once, in any order, and some of them again.
    places: fc
      .tuple(
        fc.shuffledSubarray(
          Array.from({ length: count }, (_, place) => place),
          { minLength: count },
        ),
        fc.array(fc.nat({ max: count - 1 }), { maxLength: 40 }),
      )
      .map(([all, more]) => [...all, ...more]),
    byResource: fc.boolean(),
    size: fc.integer({ min: 5, max: 50 }),
    atOnce: fc.integer({ min: 1, max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(Order, async ({ places, byResource, size, atOnce }) => {
      const company = await makeCompany()
      const all = everything(company.source)
      const mixed = places.flatMap((place) => all[place] ?? [])
      const order = byResource ? names.toReversed().flatMap((name) => mixed.filter(({ to }) => to === name)) : mixed
      await sendAll(company.program, cut(order, size, atOnce))
      expect(sessionOf(await readAll(company.program, company.source))).toEqual(sessionOf(expected))
    }),
    { numRuns: rounds(2, 40), seed: 20_261_118 },
  )
}, 900_000)
