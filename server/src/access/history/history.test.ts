import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listHistory, RecordKind, restoreValue, undoChange } from '@limber/contract/access/history/history.ts'
import { codeOf, type PermissionName, permissionNames } from '@limber/contract/access/permissions.ts'
import { updateBusiness } from '@limber/contract/businesses/business/business.ts'
import { editCampaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import { assignLead, editLead, setLeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import { adjustCredits, blockUser, correctContact, eraseUser } from '@limber/contract/support/customers/account.ts'
import { changeTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all } from '#app.ts'
import { makeSchedule } from '#automation/schedule.factory.ts'
import { makeBusiness } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { makeCampaign, makeLead } from '#marketing/leads/lead.factory.ts'
import { permissionsFor } from '#platform/audit/audit-areas.ts'
import { SINGLE_ID } from '#platform/audit/history.ts'
import { writeAuditRow } from '#platform/db/work.ts'
import { root } from '#platform/paths.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeTicket } from '#support/tickets/ticket.factory.ts'

const histories = all.flatMap((area) => area.histories ?? [])
const singles: ReadonlySet<string> = new Set(histories.filter(({ isSingle }) => isSingle).map(({ subject }) => subject))

let server: TestServer
let growth: TestCaller
let desk: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  growth = server.as('growth.tab', 'campaigns.edit')
  desk = server.asSteppedUp('users.overview', 'tickets.handle')
})
afterAll(() => server.stop())

const of = ({ id }: { id: number }) => ({ params: { id: String(id) } })

async function readHistory(
  caller: TestCaller,
  kind: RecordKind,
  id: number,
  query: { before?: string; limit?: string } = {},
) {
  const reply = await caller.send(listHistory, { params: { kind, id: String(id) }, query })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const valuesOf = async (caller: TestCaller, kind: RecordKind, id: number) =>
  (await readHistory(caller, kind, id)).changes.flatMap(({ values }) =>
    values.map(({ label, from, to }) => [label, from, to]),
  )

describe('GET /api/history/:kind/:id', () => {
  it('says who changed what on a lead, from what to what, in words', async () => {
    const campaign = await makeCampaign(server.db, { name: 'Fall in Redlands' })
    const lead = await makeLead(server.db, { first_name: 'Jon', last_name: 'Reyes', phone: null, source: 'website' })
    const edit = { first_name: 'John', phone: '+19515550142', source: 'referral', campaign_id: campaign.id } as const
    await growth.send(editLead, { ...of(lead), body: edit })
    const { id: workerId } = await growth.worker()
    const { name: ownName } = await server.db
      .selectFrom('workers')
      .select('name')
      .where('id', '=', workerId)
      .executeTakeFirstOrThrow()
    await growth.send(assignLead, { ...of(lead), body: { workerId } })
    const other = server.as('growth.tab')
    await other.send(setLeadStatus, { body: { leadId: lead.id, status: 'contacted' } })

    const { name, changes, next, total } = await readHistory(growth, 'lead', lead.id)
    expect({ name, next, count: total.count }).toEqual({ name: 'John Reyes', next: null, count: 3 })
    expect(changes.map(({ by, text }) => [by.kind, text])).toEqual([
      ['person', 'changed Status'],
      ['you', 'changed Assigned to'],
      ['you', 'changed 4 details'],
    ])
    expect(changes.map(({ values }) => values.map(({ label, from, to }) => [label, from, to]))).toEqual([
      [['Status', 'New', 'Contacted']],
      [['Assigned to', null, ownName]],
      [
        ['First name', 'Jon', 'John'],
        ['Phone', null, '(951) 555-0142'],
        ['Source', 'Website', 'Referral'],
        ['Campaign', null, 'Fall in Redlands'],
      ],
    ])
  })

  it('covers customers, tickets and campaigns', async () => {
    const customer = await makeCustomer(server.db, { first_name: 'Ana', last_name: 'Lee', phone: null, credits: 2 })
    const { email } = customer
    const contact = { first_name: 'Anna', last_name: 'Lee', email, phone: null, reason: 'Asked by phone' }
    await desk.send(correctContact, { ...of(customer), body: contact })
    await desk.send(adjustCredits, { ...of(customer), body: { delta: 3, reason: 'Late stretcher' } })
    await desk.send(blockUser, { ...of(customer), body: { reason: 'Chargeback' } })
    expect((await readHistory(desk, 'customer', customer.id)).changes).toMatchObject([
      { text: 'blocked the account', reason: 'Chargeback', values: [] },
      { text: 'changed Credits', reason: 'Late stretcher', values: [{ from: '2', to: '5' }] },
      { text: 'changed First name', values: [{ label: 'First name', from: 'Ana', to: 'Anna' }] },
    ])
    const ticket = await makeTicket(server.db, { customer_id: customer.id, priority: 'low' })
    await desk.send(changeTicket, { ...of(ticket), body: { change: { priority: 'high' } } })
    expect(await valuesOf(desk, 'ticket', ticket.id)).toEqual([['Priority', 'Low', 'High']])
    const campaign = await makeCampaign(server.db, { name: 'Old', budget: '10.00' })
    await growth.send(editCampaign, { ...of(campaign), body: { name: 'New', budget: '12.50', goals: [] } })
    expect(await valuesOf(growth, 'campaign', campaign.id)).toEqual([
      ['Name', 'Old', 'New'],
      ['Daily budget', '$10.00', '$12.50'],
    ])
  })

  it('shows of a list what was removed and added', async () => {
    const boss = server.as('access.manage')
    const { id } = await server.as('growth.tab', 'errors.view').worker()
    const before = { role: 'Agent', permissions: [codeOf('growth.tab'), codeOf('errors.view')] }
    const after = { role: 'Agent', permissions: [codeOf('growth.tab'), codeOf('health.view')] }
    const entry = { action: 'permissions_changed', subject: 'worker', subjectId: id, before, after } as const
    await writeAuditRow(server.running.services, { call: 'test' }, entry)
    expect(await valuesOf(boss, 'worker', id)).toEqual([['Permissions', 'See the error log', 'See system health']])
  })

  it('keeps personal values out of the audit log, and forgets them when the person is erased', async () => {
    const customer = await makeCustomer(server.db, { first_name: 'Canarina' })
    const { last_name, email, phone } = customer
    const body = { first_name: 'Corrected', last_name, email, phone, reason: 'Typo' }
    await desk.send(correctContact, { ...of(customer), body })
    const lead = await makeLead(server.db, { email, first_name: 'Canarina', last_name: 'Before' })
    await growth.send(editLead, { ...of(lead), body: { first_name: 'Corrected' } })
    const log = await server.db.selectFrom('audit_log').select(['before', 'after']).execute()
    expect(JSON.stringify(log)).not.toContain('Canarina')
    expect(await valuesOf(desk, 'customer', customer.id)).toEqual([['First name', 'Canarina', 'Corrected']])

    await desk.send(eraseUser, { ...of(customer), body: { reason: 'Asked', email } })
    for (const [caller, kind, id] of [
      [desk, 'customer', customer.id],
      [growth, 'lead', lead.id],
    ] as const) {
      const page = await readHistory(caller, kind, id)
      expect(JSON.stringify(page)).not.toContain('Canarina')
      const values = page.changes.flatMap((change) => change.values)
      expect(values).toMatchObject([{ label: 'First name', from: null, missing: expect.stringMatching(/^erased on /) }])
    }
  })

  it('pages without gaps or repeats', async () => {
    const { id } = await makeCustomer(server.db)
    for (let n = 0; n < 7; n += 1)
      await writeAuditRow(
        server.running.services,
        { call: 'test' },
        { action: 'customer_noted', subject: 'customer', subjectId: id },
      )
    const seen: number[] = []
    let before: string | undefined
    do {
      const page = await readHistory(desk, 'customer', id, { limit: '3', ...(before && { before }) })
      expect(page.total.count).toBe(7)
      seen.push(...page.changes.map((change) => change.id))
      before = page.next ?? undefined
    } while (before)
    expect(seen).toHaveLength(7)
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a))
  })

  it('is open only to those who may open the record', async () => {
    const records: Partial<Record<RecordKind, number | string>> = {
      customer: (await makeCustomer(server.db)).id,
      ticket: (await makeTicket(server.db)).id,
      lead: (await makeLead(server.db)).id,
      campaign: (await makeCampaign(server.db)).id,
      business: (await makeBusiness(server.db)).id,
      zone: (await makeZone(server.db)).id,
      schedule: await makeSchedule(server.db, { name: 'nightly', nextRunAt: server.clock.now() }),
      worker: (await growth.worker()).id,
    }
    for (const kind of RecordKind.options) {
      const open = permissionsFor({ action: '', subject: kind })
      const id = String(records[kind] ?? (singles.has(kind) ? SINGLE_ID : 'none'))
      const ask = (...names: PermissionName[]) => server.as(...names).send(listHistory, { params: { kind, id } })
      // Who may read the kind learns that a record does not exist.
      for (const name of open) expect((await ask(name)).status, `${kind} ${name}`).toBe(id === 'none' ? 404 : 200)
      const refused = await ask(...permissionNames.filter((name) => !open.includes(name)))
      expect(refused.status, kind).toBe(403)
    }
  })

  it.each(RecordKind.options)('does not know a %s that does not exist', async (kind) => {
    for (const id of ['999999', '0', 'x', '1e3']) {
      const reply = await server.as(...permissionNames).send(listHistory, { params: { kind, id } })
      expect(reply.status, id).toBe(404)
    }
  })
})

describe('POST /api/history/changes/:id/restore', () => {
  type Value = { field: string; restore: { now: string | null } | null }
  const restorable = async (caller: TestCaller, kind: RecordKind, id: number) =>
    (await readHistory(caller, kind, id)).changes.flatMap(({ id: change, values }) =>
      values.filter(({ restore }: Value) => restore !== null).map((value) => ({ change, ...value })),
    )
  const restore = (caller: TestCaller, change: number, field: string, now: string | null) =>
    caller.send(restoreValue, { ...of({ id: change }), body: { field, now } })

  it('restores the value before as a new change, which can be taken back', async () => {
    const lead = await makeLead(server.db, { first_name: 'Jon', source: 'website' })
    await growth.send(editLead, { ...of(lead), body: { first_name: 'John', source: 'referral' } })
    const [first, source] = await restorable(growth, 'lead', lead.id)
    expect(first).toMatchObject({
      field: 'first_name',
      from: 'Jon',
      to: 'John',
      restore: { now: 'John', effect: null, isLatest: true, list: null },
    })
    const reply = await restore(growth, source?.change ?? 0, 'source', 'Referral')
    expect(reply.body, reply.text).toEqual({ label: 'Source', value: 'Website' })
    const read = () =>
      server.db.selectFrom('leads').select(['first_name', 'source']).where('id', '=', lead.id).executeTakeFirst()
    expect(await read()).toEqual({ first_name: 'John', source: 'website' })

    const { changes } = await readHistory(growth, 'lead', lead.id)
    expect(changes.map(({ text, by }) => [by.kind, text])).toEqual([
      ['you', 'restored Source'],
      ['you', 'changed 2 details'],
    ])
    // What was restored is the present value, so only taking it back is left.
    expect((await restorable(growth, 'lead', lead.id)).map(({ field, from }) => [field, from])).toEqual([
      ['source', 'Referral'],
      ['first_name', 'Jon'],
    ])
    await restore(growth, changes[0]?.id ?? 0, 'source', 'Website')
    expect(await read()).toEqual({ first_name: 'John', source: 'referral' })
  })

  it('restores fields of customers, tickets and campaigns by the rules of their own calls', async () => {
    const customer = await makeCustomer(server.db, { first_name: 'Ana', phone: '+19515550142' })
    const taken = await makeCustomer(server.db)
    const { last_name, email } = customer
    const body = { first_name: 'Anna', last_name, email: `new-${email}`, phone: null, reason: 'Asked' }
    await desk.send(correctContact, { ...of(customer), body })
    const [name, address, phone] = await restorable(desk, 'customer', customer.id)
    expect(address?.restore?.effect).toContain('email')
    expect(await restore(desk, name?.change ?? 0, 'phone', null)).toMatchObject({ body: { value: '(951) 555-0142' } })
    expect([name?.field, phone?.field]).toEqual(['first_name', 'phone'])
    // Meanwhile another account has the old address.
    await server.db.updateTable('customers').set({ email }).where('id', '=', taken.id).execute()
    const refused = await restore(desk, name?.change ?? 0, 'email', `new-${email}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'email_taken' } })

    const ticket = await makeTicket(server.db, { priority: 'low' })
    await desk.send(changeTicket, { ...of(ticket), body: { change: { priority: 'high' } } })
    const [priority] = await restorable(desk, 'ticket', ticket.id)
    expect(await restore(desk, priority?.change ?? 0, 'priority', 'High')).toMatchObject({ body: { value: 'Low' } })

    const partner = server.as('businesses.manage')
    const { id, name: businessName, ...rest } = await makeBusiness(server.db)
    const { custom_path, admin_email, zone_id } = rest
    await partner.send(updateBusiness, {
      body: { id, name: 'Other', custom_path, admin_email, zone_id, location: 'Wing C' },
    })
    const [title] = await restorable(partner, 'business', id)
    expect(await restore(partner, title?.change ?? 0, 'name', 'Other')).toMatchObject({ body: { value: businessName } })
    expect(await valuesOf(partner, 'business', id)).toEqual([
      ['Name', 'Other', businessName],
      ['Name', businessName, 'Other'],
      ['Location', null, 'Wing C'],
    ])

    const campaign = await makeCampaign(server.db, { name: 'Old' })
    await growth.send(editCampaign, { ...of(campaign), body: { name: 'New' } })
    expect(await restorable(server.as('growth.tab'), 'campaign', campaign.id)).toEqual([])
    const [called] = await restorable(growth, 'campaign', campaign.id)
    expect((await restore(server.as('growth.tab'), called?.change ?? 0, 'name', 'New')).status).toBe(403)
    expect(await restore(growth, called?.change ?? 0, 'name', 'New')).toMatchObject({ body: { value: 'Old' } })
  })

  it('refuses when someone changed the value since, and writes nothing', async () => {
    const lead = await makeLead(server.db, { first_name: 'Jon' })
    await growth.send(editLead, { ...of(lead), body: { first_name: 'John' } })
    const [first] = await restorable(growth, 'lead', lead.id)
    await growth.send(editLead, { ...of(lead), body: { first_name: 'Johnny' } })
    const reply = await restore(growth, first?.change ?? 0, 'first_name', 'John')
    expect(reply).toMatchObject({ status: 409, body: { code: 'changed' } })
    const row = await server.db.selectFrom('leads').select('first_name').where('id', '=', lead.id).executeTakeFirst()
    expect(row).toEqual({ first_name: 'Johnny' })
    expect((await restore(growth, first?.change ?? 0, 'first_name', 'Johnny')).status).toBe(200)
  })

  it('does not restore what needs more than one call, what is not kept, or what others may not see', async () => {
    const ticket = await makeTicket(server.db, { status: 'closed' })
    await desk.send(changeTicket, { ...of(ticket), body: { change: { status: 'open' } } })
    expect(await restorable(desk, 'ticket', ticket.id)).toEqual([])
    const [change] = (await readHistory(desk, 'ticket', ticket.id)).changes
    const status = await restore(desk, change?.id ?? 0, 'status', 'Open')
    expect(status).toMatchObject({ status: 409, body: { code: 'not_restorable' } })
    expect((await restore(growth, change?.id ?? 0, 'status', 'Open')).status).toBe(403)
    expect((await restore(desk, change?.id ?? 0, 'unknown', null)).status).toBe(404)
    expect((await restore(desk, 99_999_999, 'status', null)).status).toBe(404)
  })
})

describe('POST /api/history/undo', () => {
  const request = (reply: { headers: Headers }) => ({ body: { request: reply.headers.get('x-request-id') ?? '' } })

  it('undoes what a request of the worker changed, and nobody else does', async () => {
    const lead = await makeLead(server.db, { first_name: 'Jon', source: 'website' })
    const reply = await growth.send(editLead, { ...of(lead), body: { first_name: 'John', source: 'referral' } })
    expect(await server.as('growth.tab').send(undoChange, request(reply))).toMatchObject({ status: 404 })
    expect(await growth.send(undoChange, request(reply))).toMatchObject({ status: 200, body: { undone: 1 } })
    const { changes } = await readHistory(growth, 'lead', lead.id)
    expect(changes.map(({ text }) => text)).toEqual(['undid the change of 2 details', 'changed 2 details'])
    expect(await growth.send(undoChange, request(reply))).toMatchObject({ status: 409, body: { code: 'changed' } })
  })

  it('refuses when someone changed one of the values since, and writes nothing', async () => {
    const lead = await makeLead(server.db, { first_name: 'Jon', source: 'website' })
    const reply = await growth.send(editLead, { ...of(lead), body: { first_name: 'John', source: 'referral' } })
    await server.as('growth.tab').send(editLead, { ...of(lead), body: { first_name: 'Johnny' } })
    expect(await growth.send(undoChange, request(reply))).toMatchObject({ status: 409, body: { code: 'changed' } })
    const row = await server.db.selectFrom('leads').select('source').where('id', '=', lead.id).executeTakeFirst()
    expect(row).toEqual({ source: 'referral' })
  })

  it('takes an action back by its opposite, for those who may call it', async () => {
    const customer = await makeCustomer(server.db)
    await desk.send(blockUser, { ...of(customer), body: { reason: 'Chargeback' } })
    const [blocked] = (await readHistory(desk, 'customer', customer.id)).changes
    expect(blocked).toMatchObject({ text: 'blocked the account', undo: { effect: null } })
    const body = { change: blocked?.id ?? 0 }
    expect((await growth.send(undoChange, { body })).status).toBe(403)
    expect((await desk.send(undoChange, { body })).status).toBe(200)
    const [unblocked, again] = (await readHistory(desk, 'customer', customer.id)).changes
    expect([unblocked?.text, again?.undo]).toEqual(['unblocked the account', null])
  })
})

describe('the histories of the areas', () => {
  it('exist once for each kind of the contract', () => {
    const shown = histories.filter(({ isOwn }) => !isOwn)
    expect(shown.map(({ subject }) => subject).toSorted()).toEqual([...RecordKind.options].toSorted())
  })

  it('are open to callers of the contract', () => {
    for (const { subject } of histories)
      for (const name of permissionsFor({ action: '', subject })) expect(listHistory.permission).toContain(name)
  })

  it('restore only fields that they show', () => {
    for (const { fields, restores } of histories) {
      const shown = new Set(fields.map(({ name }) => name))
      for (const restore of restores) for (const name of restore.fields) expect(shown).toContain(name)
    }
  })

  it('have words for every action that is audited about them', () => {
    const known = new Set(histories.flatMap(({ actions }) => Object.keys(actions)))
    const missing = globSync('**/*.ts', { cwd: join(root, 'server/src'), exclude: ['**/*.{test,testing}.ts'] }).flatMap(
      (file) => {
        const text = readFileSync(join(root, 'server/src', file), 'utf8')
        const subjects = histories.map(({ subject }) => subject).join('|')
        const pattern = new RegExp(
          `audit\\(\\{\\s*action: '(\\w+)',\\s*(?:subject: '(?:${subjects})'|\\.\\.\\.auditFacts)`,
          'g',
        )
        return [...text.matchAll(pattern)].map(([, action = '']) => action)
      },
    )
    expect(missing.length).toBeGreaterThan(15)
    // A deleted record cannot be opened.
    expect(missing.filter((action) => !known.has(action) && !action.endsWith('_deleted'))).toEqual([])
  })
})
