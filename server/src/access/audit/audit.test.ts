import { exportAudit, listAudit, readAuditEntry } from '@limber/contract/access/audit/audit.ts'
import { type PermissionName, permissionNames } from '@limber/contract/access/permissions.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { type AuditSubject, auditAreas } from '#platform/audit/audit-areas.ts'
import { writeAuditRow } from '#platform/db/work.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCourse } from '#training/training.factory.ts'
import { findSubjectNames } from './subject-names.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const values = { before: { pay: 'was-canary' }, after: { pay: 'is-canary' }, reason: 'typed-canary' }

interface Kind {
  action: string
  subject: AuditSubject
  open: readonly PermissionName[]
}

const kinds: Kind[] = [
  ...Object.entries(auditAreas).map(([subject, open]) => ({
    action: `${subject}_tried`,
    subject: subject as AuditSubject,
    open,
  })),
  // An action of the growth area on a record of another area.
  ...['partner_changed', 'partner_noted', 'partner_outreach_sent'].map((action) => ({
    action,
    subject: 'business' as const,
    open: ['growth.tab' as const],
  })),
]

/** What the three calls show a worker about an action. */
async function readAs(caller: TestCaller, action: string) {
  const [entry] = (await caller.send(listAudit, { query: { action } })).body.entries
  if (!entry) throw new Error('The entry is missing')
  const { body } = await caller.send(readAuditEntry, { params: { id: String(entry.id) } })
  expect(body.entry).toEqual(entry)
  const { text } = await caller.send(exportAudit, { query: { action } })
  return { entry, text: JSON.stringify(entry) + text }
}

describe('the values of an audit row', () => {
  it.each(kinds)('of $action need one of $open', async ({ action, subject, open }) => {
    await writeAuditRow(server.running.services, { call: 'test' }, { action, subject, subjectId: 7, ...values })
    for (const name of open) {
      const { entry, text } = await readAs(server.as('access.manage', name), action)
      expect(entry).toMatchObject({ ...values, areValuesHidden: false })
      expect(text.match(/canary/g)).toHaveLength(6)
    }
    const others = permissionNames.filter((name) => !open.includes(name))
    // Reading the log needs access.manage, so records opened by that permission are visible to every reader.
    if (open.includes('access.manage')) return
    const { entry, text } = await readAs(server.as('access.manage', ...others), action)
    expect(entry).toMatchObject({ before: null, after: null, reason: null, areValuesHidden: true, action, subject })
    expect(text).not.toContain('canary')
  })

  it('are hidden from everyone for an unknown kind of record', async () => {
    await server.db
      .insertInto('audit_log')
      .values({
        ...{ at: server.clock.now(), call: 'test', action: 'unknown_tried', outcome: 'done', subject: 'constructor' },
        ...{ worker_id: null, worker_name: null, subject_id: '1', address: null, request_id: null },
        ...{ before: JSON.stringify('was-canary'), after: JSON.stringify('is-canary'), reason: null },
      })
      .execute()
    const { entry, text } = await readAs(server.as(...permissionNames), 'unknown_tried')
    expect(entry.areValuesHidden).toBe(true)
    expect(text).not.toContain('canary')
  })

  it('are not marked as hidden when there are none, and a refusal keeps its reason', async () => {
    const { services } = server.running
    await writeAuditRow(services, { call: 'test' }, { action: 'bare_tried', subject: 'zone', subjectId: 1 })
    const refused = { action: 'refused_tried', outcome: 'refused', reason: 'wrong_code' } as const
    await writeAuditRow(services, { call: 'test' }, refused)
    const caller = server.as('access.manage')
    expect((await readAs(caller, 'bare_tried')).entry).toMatchObject({ areValuesHidden: false })
    const { entry } = await readAs(caller, 'refused_tried')
    expect(entry).toMatchObject({ reason: 'wrong_code', areValuesHidden: false })
  })
})

describe('what records are called', () => {
  it('is said to those who may open them, for every kind that has a name', async () => {
    const { db, running, clock } = server
    const customer = await makeCustomer(db, { first_name: 'Jazmín', last_name: 'Reyes' })
    const zone = await makeZone(db, { name: 'Riverside' })
    const course = await makeCourse(db, { title: 'Anatomy basics' })
    const session = await makeSession(db, { starts_at: clock.now() })
    const about = [
      ['customer', customer.id, 'Jazmín Reyes'],
      ['zone', zone.id, 'Riverside'],
      ['zone', 999_999, null],
      ['course', course.course_key, 'Anatomy basics'],
      ['sign_in', 7, null],
    ] as const
    for (const [subject, subjectId] of about)
      await writeAuditRow(running.services, { call: 'test' }, { action: 'named_tried', subject, subjectId })
    const namesFor = async (caller: TestCaller) =>
      (await caller.send(listAudit, { query: { action: 'named_tried' } })).body.entries
        .map(({ subjectName }) => subjectName)
        .toReversed()
    const boss = server.asOwner()
    expect(await namesFor(boss)).toEqual(about.map(([, , name]) => name))
    expect(await namesFor(server.as('access.manage', 'businesses.manage'))).toEqual([
      null,
      'Riverside',
      null,
      null,
      null,
    ])
    // Each source is a statement that runs.
    const rows = Object.keys(auditAreas).map((subject) => ({ subject, subject_id: String(session.id) }))
    expect((await findSubjectNames(db, rows)).get(`onsite_session ${session.id}`)).toBeTruthy()
  })
})
