import { type WebhookEvent, webhookEvents } from '@limber/contract/access/webhooks/events.ts'
import { createOwnWebhook } from '@limber/contract/access/webhooks/webhook-sync.ts'
import {
  activateBlock,
  cancelSession,
  changeStretcher,
  markNotHeld,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { createZone, deleteZone, updateZone } from '@limber/contract/businesses/zones/zone.ts'
import {
  createCertification,
  deleteCertification,
  revokeCertification,
  updateCertification,
} from '@limber/contract/certifications/certification.ts'
import { convertLead, setLeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import { closePeriod } from '@limber/contract/payroll/entries/period.ts'
import {
  activateStretcher,
  deactivateStretcher,
  finishTraining,
  onboardStretcher,
  promoteToStretcher,
  updateStretcher,
} from '@limber/contract/stretchers/stretcher.ts'
import { stretcherCalls } from '@limber/contract/stretchers/sync/stretcher-sync.ts'
import {
  adjustCredits,
  blockUser,
  correctContact,
  eraseUser,
  mergeUsers,
  unblockUser,
} from '@limber/contract/support/customers/account.ts'
import { requestBookingChange } from '@limber/contract/support/related/related.ts'
import { creditCalls } from '@limber/contract/support/sync/credit-sync.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import {
  changeTickets,
  mergeTicket,
  respondToTicket,
  setTicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBlock, makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { makeCertification, makeCertificationType } from '#certifications/certification.factory.ts'
import { makeLead } from '#marketing/leads/lead.factory.ts'
import { makeEarner, makeEntry, makePeriod } from '#payroll/payroll.factory.ts'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import type { Resource } from '#platform/sync/resources.ts'
import { startTestServer, type TestCaller, type TestReply, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher, type StretcherDraft } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeTicket } from '#support/tickets/ticket.factory.ts'
import { asProgram } from '../api-keys/program.testing.ts'

let server: TestServer
let boss: TestCaller
let app: Awaited<ReturnType<typeof asProgram>>
let zone: { id: number }
let businessId: number
beforeAll(async () => {
  server = await startTestServer()
  boss = server.asOwner({ isSteppedUp: true })
  app = await asProgram(server)
  const crm = await asProgram(server, { source: 'crm' })
  const body = { url: 'https://hooks.example.com/', events: [...webhookEvents] as WebhookEvent[], description: '' }
  await crm.send(createOwnWebhook, { body })
  zone = await makeZone(server.db, { name: 'Private park' })
  businessId = (await makeBusiness(server.db, { zone_id: zone.id, name: 'Private business' })).id
  await sql`
    create function refuse_to_commit() returns trigger language plpgsql as $$
    begin raise exception 'the commit fails'; end $$`.execute(server.db)
  await sql`
    create constraint trigger refuse_to_commit after insert on webhook_deliveries deferrable initially deferred
    for each row execute function refuse_to_commit()`.execute(server.db)
})
afterAll(() => server.stop())

/** Whether transactions that enqueue an event fail at their commit. */
const failCommits = (isFailing: boolean) =>
  sql`alter table webhook_deliveries ${sql.raw(isFailing ? 'enable' : 'disable')} trigger refuse_to_commit`.execute(
    server.db,
  )

interface Told {
  type: string
  data: Record<string, unknown>
}

/** What was enqueued since the last call. */
async function told() {
  const rows = await server.db.deleteFrom('webhook_deliveries').returning(['id', 'event_type', 'body']).execute()
  return rows.toSorted((a, b) => a.id - b.id)
}

/** What staff type, and what customers are called. None of it may leave. */
const reason = 'Private words of staff'
const PRIVATE = /priva|@|\+1|555|199\d/i
let serial = 0
const email = () => `private-${++serial}@example.com`
const person = () => ({ first_name: 'Priva', last_name: 'Privatelli', email: email(), phone: '+19515550177' })
const customer = (more: { credits?: number; blocked_at?: Date; blocked_reason?: string } = {}) =>
  makeCustomer(server.db, { ...person(), ...more })
const stretcher = (more: StretcherDraft = {}) => {
  const { phone: _, ...who } = person()
  return makeStretcher(server.db, { ...who, zone_id: zone.id, ...more })
}
const certification = () => makeCertification(server.db, { name: 'Priva', instructor: 'Private Ines' })
const ticket = async () => {
  const { id: customer_id, email: customer_email } = await customer()
  const thread = [{ content: 'Private question' }]
  const { id } = await makeTicket(server.db, { customer_id, customer_email, subject: 'Private matter', thread })
  return { id, customer_id, customer_email }
}
let day = 0
/** A start time that no other row uses. */
const aStart = () => new Date(Date.UTC(2027, 0, 1 + day++))
const block = () => makeBlock(server.db, { business_id: businessId, internal_label: 'Private label' })
const session = async (starts_at = aStart()) =>
  makeSession(server.db, { starts_at, block_id: (await block()).id, stretcher_id: (await stretcher()).id })
const square = (x: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [x, 10],
      [x + 1, 10],
      [x + 1, 11],
      [x, 11],
      [x, 10],
    ] as [number, number][],
  ],
})

/** A record as events name it. Records that exist before have an id in another system. */
async function linked(resource: Resource, id: number) {
  const external_id = `${resource}-${id}`
  await sql`insert into external_refs (source, resource, external_id, record_id, created_at)
    values ('app', ${resource}, ${external_id}, ${id}, now()) on conflict do nothing`.execute(server.db)
  return { id, external_ids: { app: external_id } }
}
const unlinked = (id: number) => ({ id, external_ids: {} })
const to = (id: number) => ({ params: { id: String(id) } })

interface Arranged {
  /** The call that is refused, and the one that works. */
  refused: () => Promise<TestReply>
  call: () => Promise<TestReply>
  /** What other systems hear of it. */
  events: readonly [WebhookEvent, object][] | ((reply: never) => readonly [WebhookEvent, object][])
}

async function sessionNames(made: { id: number; stretcher_id: number }) {
  return {
    session: await linked('sessions', made.id),
    business: await linked('businesses', businessId),
    stretcher: await linked('stretchers', made.stretcher_id),
  }
}
const times = (starts_at: Date) => ({
  starts_at: starts_at.toISOString(),
  ends_at: shift(starts_at, 2 * HOUR).toISOString(),
})

/** Every way in which an event happens: a call of a worker or of a program, what it tells, and a call that is refused. */
const table: Record<WebhookEvent, Record<string, () => Promise<Arranged>>> = {
  'customer.updated': {
    'a contact is corrected': async () => {
      const { id, phone, email: old, first_name } = await customer()
      const correct = (last_name: string, address = old) =>
        boss.send(correctContact, { ...to(id), body: { first_name, last_name, email: address, phone, reason } })
      const { email: taken } = await customer()
      return {
        refused: () => correct('Privatini', taken),
        call: () => correct('Privatini', email()),
        events: [['customer.updated', { customer: await linked('customers', id), changed: ['last_name', 'email'] }]],
      }
    },
    'the contact of a stretcher is corrected': async () => {
      const { id, customer_id, email: old, first_name, last_name } = await stretcher()
      const correct = (name: string) =>
        boss.send(correctContact, {
          ...to(customer_id),
          body: { first_name: name, last_name, email: email(), phone: '+19515550166', reason },
        })
      const names = { stretcher: await linked('stretchers', id), customer: await linked('customers', customer_id) }
      expect(old).toContain('private')
      return {
        refused: () => correct('Privanna'),
        call: () => correct(first_name),
        events: [
          ['customer.updated', { customer: names.customer, changed: ['email', 'phone'] }],
          ['stretcher.updated', { ...names, changed: ['email', 'phone'] }],
        ],
      }
    },
    'a program sends customers': async () => {
      const { id, ...known } = await customer()
      const named = await linked('customers', id)
      const { first_name, last_name, email: address, phone } = { ...known, last_name: 'Privatini' }
      const item = { external_id: named.external_ids.app, first_name, last_name, email: address, phone }
      const send = (more: object) => app.send(customerCalls.batch, { body: { items: [{ ...item, ...more }] } })
      return {
        refused: () => send({ email: 'Private' }),
        call: () => send({ address: { city: 'Private City' } }),
        events: [['customer.updated', { customer: named, changed: ['last_name', 'address'] }]],
      }
    },
  },
  'customer.blocked': {
    'a customer is blocked': async () => {
      const { id } = await customer()
      const { id: blocked } = await customer({ blocked_at: server.clock.now(), blocked_reason: reason })
      return {
        refused: () => boss.send(blockUser, { ...to(blocked), body: { reason } }),
        call: () => boss.send(blockUser, { ...to(id), body: { reason } }),
        events: [['customer.blocked', { customer: await linked('customers', id) }]],
      }
    },
  },
  'customer.unblocked': {
    'a customer is unblocked': async () => {
      const { id } = await customer({ blocked_at: server.clock.now(), blocked_reason: reason })
      const { id: open } = await customer()
      return {
        refused: () => boss.send(unblockUser, { ...to(open), body: { reason } }),
        call: () => boss.send(unblockUser, { ...to(id), body: { reason } }),
        events: [['customer.unblocked', { customer: await linked('customers', id) }]],
      }
    },
  },
  'customer.merged': {
    'two customers are merged': async () => {
      const [kept, duplicate] = [await customer({ credits: 2 }), await customer({ credits: 3 })]
      const merge = (duplicateId: number) => boss.send(mergeUsers, { ...to(kept.id), body: { duplicateId, reason } })
      const named = await linked('customers', kept.id)
      return {
        refused: () => merge(kept.id),
        call: () => merge(duplicate.id),
        events: [
          ['customer.merged', { customer: await linked('customers', duplicate.id), merged_into: named }],
          ['credits.changed', { customer: named, delta: 3, balance: 5 }],
        ],
      }
    },
  },
  'customer.erased': {
    'a customer is erased': async () => {
      const { id, email: address } = await customer()
      const erase = (typed: string) => boss.send(eraseUser, { ...to(id), body: { reason, email: typed } })
      return {
        refused: () => erase(email()),
        call: () => erase(address),
        events: [['customer.erased', { customer: await linked('customers', id) }]],
      }
    },
  },
  'credits.changed': {
    'a worker changes credits': async () => {
      const { id } = await customer({ credits: 2 })
      const adjust = (delta: number) => boss.send(adjustCredits, { ...to(id), body: { delta, reason } })
      return {
        refused: () => adjust(-3),
        call: () => adjust(-1),
        events: [['credits.changed', { customer: await linked('customers', id), delta: -1, balance: 1 }]],
      }
    },
    'a program sends credits': async () => {
      const { id } = await customer({ credits: 2 })
      const named = await linked('customers', id)
      const items = [4, 5].map((delta) => ({
        external_id: `e-${id}-${delta}`,
        customer: { id },
        delta,
        kind: 'referral',
      }))
      return {
        refused: () => app.send(creditCalls.batch, { body: { items: [{ ...items[0], kind: 'use' }] } }),
        call: () => app.send(creditCalls.batch, { body: { items } }),
        events: [
          ['credits.changed', { customer: named, delta: 4, balance: 6 }],
          ['credits.changed', { customer: named, delta: 5, balance: 11 }],
        ],
      }
    },
  },
  'stretcher.updated': {
    'a stretcher is changed': async () => {
      const { id, customer_id, first_name } = await stretcher({ date_of_birth: '1990-01-01' })
      const change = (zoneId: number) =>
        boss.send(updateStretcher, {
          ...to(id),
          body: { firstName: first_name, lastName: 'Privatini', dateOfBirth: '1991-01-01', zoneId },
        })
      const names = { stretcher: await linked('stretchers', id), customer: await linked('customers', customer_id) }
      return {
        refused: () => change(999_999),
        call: () => change(zone.id),
        events: [
          ['stretcher.updated', { ...names, changed: ['last_name', 'date_of_birth'] }],
          ['customer.updated', { customer: names.customer, changed: ['last_name'] }],
        ],
      }
    },
    'a stretcher is hired': async () => {
      const hire = (dateOfBirth: string) =>
        boss.send(onboardStretcher, {
          body: { firstName: 'Priva', lastName: 'Privatelli', email: email(), dateOfBirth, needsTraining: false },
        })
      return {
        refused: () => hire('2026-01-01'),
        call: () => hire('1990-01-01'),
        events: ({ body }: Awaited<ReturnType<typeof hire>>) => {
          const { id, userId } = body.stretcher
          return [['stretcher.updated', { stretcher: unlinked(id), customer: unlinked(userId), changed: ['status'] }]]
        },
      }
    },
    'a customer becomes a stretcher': async () => {
      const { id, email: address } = await customer()
      const promote = (known: string) => boss.send(promoteToStretcher, { body: { email: known, needsTraining: false } })
      const named = await linked('customers', id)
      return {
        refused: () => promote(email()),
        call: () => promote(address),
        events: ({ body }: Awaited<ReturnType<typeof promote>>) => [
          ['stretcher.updated', { stretcher: unlinked(body.stretcher.id), customer: named, changed: ['status'] }],
        ],
      }
    },
    ...Object.fromEntries(
      (
        [
          ['a stretcher is deactivated', 'active', deactivateStretcher],
          ['a stretcher is activated', 'inactive', activateStretcher],
          ['the training of a stretcher ends', 'in_training', finishTraining],
        ] as const
      ).map(([name, status, call]) => [
        name,
        async () => {
          const { id, customer_id } = await stretcher({ status })
          const names = { stretcher: await linked('stretchers', id), customer: await linked('customers', customer_id) }
          return {
            refused: () => boss.send(call, { ...to(id), body: { reason, version: 99 } }),
            call: () => boss.send(call, { ...to(id), body: { reason } }),
            events: [['stretcher.updated', { ...names, changed: ['status'] }]],
          } satisfies Arranged
        },
      ]),
    ),
    'a program sends stretchers': async () => {
      const { id, customer_id, first_name, status } = await stretcher()
      const names = { stretcher: await linked('stretchers', id), customer: await linked('customers', customer_id) }
      const item = { external_id: names.stretcher.external_ids.app, first_name, status, zone_id: null }
      const send = (more: object) => app.send(stretcherCalls.batch, { body: { items: [{ ...item, ...more }] } })
      return {
        refused: () => send({ email: 'Private' }),
        call: () => send({ last_name: 'Privatini' }),
        events: [
          ['stretcher.updated', { ...names, changed: ['last_name', 'zone_id'] }],
          ['customer.updated', { customer: names.customer, changed: ['last_name'] }],
        ],
      }
    },
  },
  'stretcher.certified': {
    'a certification is issued': async () => {
      const { id } = await customer()
      const type = await makeCertificationType(server.db, { name: 'Private type' })
      const issue = (userId: number) =>
        boss.send(createCertification, {
          body: { userId, certificationTypeId: type.id, name: 'Priva', instructor: 'Private Ines' },
        })
      const named = await linked('customers', id)
      return {
        refused: () => issue(999_999),
        call: () => issue(id),
        events: ({ body }: Awaited<ReturnType<typeof issue>>) => [
          ['stretcher.certified', { certification: unlinked(body.id), customer: named }],
        ],
      }
    },
    'a certification is given to another person': async () => {
      const { id, customer_id, type_id } = await certification()
      const { id: other } = await customer()
      const give = (userId: number) =>
        boss.send(updateCertification, {
          ...to(id),
          body: { userId, certificationTypeId: type_id, name: 'Priva', instructor: 'Private Ines' },
        })
      const named = await linked('certifications', id)
      return {
        refused: () => give(999_999),
        call: () => give(other),
        events: [
          ['certification.revoked', { certification: named, customer: await linked('customers', customer_id) }],
          ['stretcher.certified', { certification: named, customer: await linked('customers', other) }],
        ],
      }
    },
  },
  'certification.revoked': {
    'a certification is revoked': async () => {
      const { id, customer_id } = await certification()
      const names = {
        certification: await linked('certifications', id),
        customer: await linked('customers', customer_id),
      }
      return {
        refused: () => boss.send(revokeCertification, { ...to(id), body: { reason, version: 99 } }),
        call: () => boss.send(revokeCertification, { ...to(id), body: { reason } }),
        events: [['certification.revoked', names]],
      }
    },
    'a certification is deleted': async () => {
      const { id, customer_id } = await certification()
      const names = {
        certification: await linked('certifications', id),
        customer: await linked('customers', customer_id),
      }
      return {
        refused: () => boss.send(deleteCertification, to(999_999)),
        call: () => boss.send(deleteCertification, to(id)),
        events: [['certification.revoked', names]],
      }
    },
    'a certification that was seen is deleted': async () => {
      const { id, customer_id } = await certification()
      await sql`update certifications set first_opened_at = now() where id = ${id}`.execute(server.db)
      const names = {
        certification: await linked('certifications', id),
        customer: await linked('customers', customer_id),
      }
      return {
        refused: () => boss.send(deleteCertification, to(999_999)),
        call: () => boss.send(deleteCertification, to(id)),
        events: [['certification.revoked', names]],
      }
    },
  },
  'session.scheduled': {
    'a block is scheduled': async () => {
      const [{ id: prepaid_block_id }, { id: stretcher_id }] = [await block(), await stretcher()]
      const start = aStart()
      const schedule = (at: Date) =>
        boss.send(activateBlock, { body: { prepaid_block_id, stretcher_id, starts_at: at.toISOString() } })
      const names = await sessionNames({ id: 0, stretcher_id })
      return {
        refused: () => schedule(new Date('2026-01-01')),
        call: () => schedule(start),
        events: ({ body }: Awaited<ReturnType<typeof schedule>>) => [
          ['session.scheduled', { ...names, session: unlinked(body.id), ...times(start) }],
        ],
      }
    },
  },
  'session.rescheduled': {
    'a session is moved': async () => {
      const made = await session()
      const start = aStart()
      const move = (at: Date) =>
        boss.send(rescheduleSession, { body: { session_id: made.id, new_starts_at: at.toISOString() } })
      const changed = ['starts_at', 'ends_at']
      return {
        refused: () => move(new Date('2026-01-01')),
        call: () => move(start),
        events: [['session.rescheduled', { ...(await sessionNames(made)), ...times(start), changed }]],
      }
    },
    'a session gets another stretcher, at the same time': async () => {
      const made = await session()
      const { id: stretcher_id } = await stretcher()
      const move = (new_stretcher_id: number) =>
        boss.send(rescheduleSession, {
          body: { session_id: made.id, new_starts_at: made.starts_at.toISOString(), new_stretcher_id },
        })
      const names = await sessionNames({ id: made.id, stretcher_id })
      return {
        refused: () => move(999_999),
        call: () => move(stretcher_id),
        events: [['session.rescheduled', { ...names, ...times(made.starts_at), changed: ['stretcher'] }]],
      }
    },
    'a session is reassigned': async () => {
      const made = await session()
      const { id: stretcher_id } = await stretcher()
      const assign = (new_stretcher_id: number) =>
        boss.send(changeStretcher, { body: { session_id: made.id, new_stretcher_id } })
      const names = await sessionNames({ id: made.id, stretcher_id })
      return {
        refused: () => assign(999_999),
        call: () => assign(stretcher_id),
        events: [['session.rescheduled', { ...names, ...times(made.starts_at), changed: ['stretcher'] }]],
      }
    },
  },
  'session.cancelled': {
    'a session is canceled': async () => {
      const made = await session()
      const cancel = (version?: number) =>
        boss.send(cancelSession, { body: { session_id: made.id, reason, ...(version && { version }) } })
      return {
        refused: () => cancel(99),
        call: () => cancel(),
        events: [['session.cancelled', { ...(await sessionNames(made)), ...times(made.starts_at) }]],
      }
    },
    'a session was not held': async () => {
      const [made, coming] = [await session(shift(server.clock.now(), -DAY)), await session()]
      const mark = (session_id: number) => boss.send(markNotHeld, { body: { session_id, reason } })
      return {
        refused: () => mark(coming.id),
        call: () => mark(made.id),
        events: [['session.cancelled', { ...(await sessionNames(made)), ...times(made.starts_at) }]],
      }
    },
  },
  'booking.change_requested': {
    'a worker asks for another time': async () => {
      const { id, customer_id } = await ticket()
      const starts_at = aStart()
      const booking = await makeBooking(server.db, { customer_id, starts_at })
      const ask = (startsAt: string) =>
        boss.send(requestBookingChange, { ...to(id), body: { change: 'move', bookingId: booking.id, startsAt } })
      const wanted = shift(starts_at, DAY).toISOString()
      const named = {
        booking: await linked('bookings', booking.id),
        customer: await linked('customers', customer_id),
        ticket: await linked('tickets', id),
      }
      return {
        refused: () => ask('2020-01-01T00:00:00Z'),
        call: () => ask(wanted),
        events: [['booking.change_requested', { ...named, change: 'move', starts_at: wanted }]],
      }
    },
  },
  'ticket.replied': {
    'a worker replies, and closes': async () => {
      const { id, customer_id } = await ticket()
      const { id: workerId } = await boss.worker()
      const reply = (by: number) =>
        boss.send(respondToTicket, { ...to(id), body: { message: reason, workerId: by, status: 'closed' } })
      const names = { ticket: await linked('tickets', id), customer: await linked('customers', customer_id) }
      return {
        refused: () => reply(999_999),
        call: () => reply(workerId),
        events: [
          ['ticket.replied', names],
          ['ticket.closed', names],
        ],
      }
    },
    'a worker replies to someone without an account': async () => {
      const { id } = await makeTicket(server.db, { customer_email: email() })
      const { id: workerId } = await boss.worker()
      const reply = (by: number) => boss.send(respondToTicket, { ...to(id), body: { message: reason, workerId: by } })
      return {
        refused: () => reply(999_999),
        call: () => reply(workerId),
        events: [['ticket.replied', { ticket: await linked('tickets', id) }]],
      }
    },
  },
  'ticket.closed': {
    'a ticket is closed': async () => {
      const { id, customer_id } = await ticket()
      const close = (version: number) => boss.send(setTicketStatus, { ...to(id), body: { status: 'closed', version } })
      const names = { ticket: await linked('tickets', id), customer: await linked('customers', customer_id) }
      return { refused: () => close(99), call: () => close(1), events: [['ticket.closed', names]] }
    },
    'tickets are closed together': async () => {
      const [one, two] = [await ticket(), await ticket()]
      const close = (...ids: number[]) =>
        boss.send(changeTickets, {
          body: { tickets: ids.map((id) => ({ id, version: 1 })), change: { status: 'closed' } },
        })
      const names = async ({ id, customer_id }: typeof one) => ({
        ticket: await linked('tickets', id),
        customer: await linked('customers', customer_id),
      })
      return {
        refused: () => close(),
        call: () => close(one.id, two.id),
        events: [
          ['ticket.closed', await names(one)],
          ['ticket.closed', await names(two)],
        ],
      }
    },
    'a ticket is merged into another': async () => {
      const { id, customer_id, customer_email } = await ticket()
      const { id: into } = await makeTicket(server.db, { customer_id, customer_email })
      const merge = (target: number) => boss.send(mergeTicket, { ...to(id), body: { into: target } })
      const names = { ticket: await linked('tickets', id), customer: await linked('customers', customer_id) }
      return { refused: () => merge(id), call: () => merge(into), events: [['ticket.closed', names]] }
    },
  },
  'lead.converted': {
    'a lead becomes a new customer': async () => {
      const { id } = await makeLead(server.db, person())
      const named = await linked('leads', id)
      return {
        refused: () => boss.send(convertLead, to(999_999)),
        call: () => boss.send(convertLead, to(id)),
        events: ({ body }: TestReply<typeof convertLead>) => [
          ['lead.converted', { lead: named, customer: unlinked(body.lead.customer?.id ?? 0), is_new_customer: true }],
        ],
      }
    },
    'the status of a lead is set': async () => {
      const { id: customerId, email: address } = await customer()
      const { id: leadId } = await makeLead(server.db, { ...person(), email: address })
      const set = (version: number) =>
        boss.send(setLeadStatus, { body: { leadId, status: 'converted', version } as never })
      const names = { lead: await linked('leads', leadId), customer: await linked('customers', customerId) }
      return {
        refused: () => set(99),
        call: () => set(1),
        events: [['lead.converted', { ...names, is_new_customer: false }]],
      }
    },
  },
  'zone.changed': {
    'a zone is added': async () => {
      const add = (geometry: object) =>
        boss.send(createZone, {
          body: { name: `Private ${++serial}`, time_zone: 'America/Los_Angeles', geometry } as never,
        })
      return {
        refused: () => add({ type: 'Polygon', coordinates: [] }),
        call: () => add(square(20)),
        events: ({ body }: Awaited<ReturnType<typeof add>>) => [
          ['zone.changed', { zone: unlinked(body.id), change: 'created' }],
        ],
      }
    },
    'a zone is changed': async () => {
      const { id, time_zone } = await makeZone(server.db, { name: 'Private place', geometry: square(30) })
      const change = (version: number) =>
        boss.send(updateZone, {
          body: { id, name: 'Private square', time_zone, geometry: square(31), version } as never,
        })
      const named = await linked('zones', id)
      return {
        refused: () => change(99),
        call: () => change(1),
        events: [['zone.changed', { zone: named, change: 'updated', changed: ['name', 'polygon'] }]],
      }
    },
    'a zone is deleted': async () => {
      const { id } = await makeZone(server.db, { name: 'Private meadow', geometry: square(40) })
      const named = await linked('zones', id)
      return {
        refused: () => boss.send(deleteZone, { body: { id: zone.id } }),
        call: () => boss.send(deleteZone, { body: { id } }),
        events: [['zone.changed', { zone: named, change: 'deleted' }]],
      }
    },
  },
  'payroll.period_closed': {
    'a pay period is closed': async () => {
      const { id: earner_id } = await makeEarner(server.db)
      const entry = await makeEntry(server.db, { earner_id, work_date: '2026-09-08' })
      const { id: later } = await makePeriod(server.db, '2026-11-16')
      const period = await makePeriod(server.db, '2026-09-08')
      const close = (period_id: number) => boss.send(closePeriod, { body: { period_id } })
      return {
        refused: () => close(later),
        call: () => close(entry.pay_period_id),
        events: [
          [
            'payroll.period_closed',
            {
              period_id: period.id,
              period_start: period.starts_on,
              period_end: period.ends_on,
              pay_date: period.pay_date,
            },
          ],
        ],
      }
    },
  },
}

/** Refused: by a status, or, in a batch, by its only item. */
const isRefused = ({ status, body }: TestReply) =>
  (status >= 400 && status < 500) || (body as { rejected?: number } | undefined)?.rejected === 1

describe.each(Object.entries(table))('%s', (type, ways) => {
  it.each(Object.entries(ways))('is told when %s, and only then', async (_, arrange) => {
    const { refused, call, events } = await arrange()
    await failCommits(false)
    await told()
    const no = await refused()
    expect(isRefused(no), no.text).toBe(true)
    expect(await told()).toEqual([])
    await failCommits(true)
    // The change and its events commit together: when one cannot, neither does the other.
    expect((await call()).status).toBe(500)
    expect(await told()).toEqual([])
    await failCommits(false)
    const reply = await call()
    expect(reply.status, reply.text).toBe(200)
    const rows = await told()
    const expected = typeof events === 'function' ? events(reply as never) : events
    expect(rows.map((row) => JSON.parse(row.body) as Told)).toEqual(
      expected.map(([name, data]) => ({ type: name, timestamp: server.clock.now().toISOString(), data })),
    )
    expect(rows.map((row) => row.event_type)).toEqual(expected.map(([name]) => name))
    expect(expected.map(([name]) => name)).toContain(type)
    for (const { body } of rows) expect(body).not.toMatch(PRIVATE)
  })
})

it('covers every event of the contract', () => {
  expect(Object.keys(table)).toEqual([...webhookEvents])
})
