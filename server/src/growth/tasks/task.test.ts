import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import { changeTask, createTask, listTaskAssignees, listTasks } from '@limber/contract/growth/tasks/task.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { refreshFigures } from '../figures/refresh-figures.ts'
import { markTasks } from './mark-tasks.ts'
import { makeTask } from './task.factory.ts'

let server: TestServer
let caller: TestCaller
const draft = { title: 'Open city: Hemet', description: '', dueDate: null, priority: 'Medium', type: 'growth' } as const
const create = (more: object = {}) => caller.send(createTask, { body: { ...draft, ...more } })
const change = (id: number, body: object) => caller.send(changeTask, { params: { id: String(id) }, body })

beforeAll(async () => {
  server = await startTestServer()
  caller = server.as('growth.tab')
})
afterAll(() => server.stop())

describe('POST /api/marketing/tasks', () => {
  it('accepts the body of the dialog, with an optional city', async () => {
    const bare = await create()
    expect(bare).toMatchObject({
      status: 200,
      body: { priority: 'medium', status: 'open', due: null, cityName: null, figures: null },
    })
    expect((await create({ description: null })).body).toMatchObject({ details: '', due: null })
    const full = await create({
      cityName: ' Hemet ',
      dueDate: '2026-12-01',
      priority: 'High',
      description: 'Find two\nstretchers',
    })
    expect(full.body).toMatchObject({
      cityName: 'Hemet',
      due: '2026-12-01',
      priority: 'high',
      details: 'Find two\nstretchers',
      version: 1,
    })
    expect(full.body.figures).toEqual({ users: 0, activeUsers: 0, sessions: 0, revenue: 0 })
    const audit = await server.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('subject_id', '=', String(full.body.id))
      .executeTakeFirst()
    expect(audit).toMatchObject({ action: 'city_task_created', after: { city: 'Hemet' } })
  })

  it.each([
    [{ title: '' }],
    [{ title: '   ' }],
    [{ title: 'x'.repeat(201) }],
    [{ dueDate: '2026-02-30' }],
    [{ dueDate: 'soon' }],
    [{ priority: 'urgent' }],
    [{ type: 'other' }],
    [{ cityName: 'x'.repeat(121) }],
    [{ assignedTo: 0 }],
    [{ other: 1 }],
  ])('refuses %j', async (more) => {
    expect((await create(more)).status).toBe(400)
  })

  it('assigns a task only to a worker who can see it', async () => {
    const outsider = await makeWorker(server.db, { permissions: ['support.tab'] })
    const insider = await makeWorker(server.db, { permissions: ['growth.tab'], name: 'Ines Growth' })
    expect((await create({ assignedTo: outsider.id })).status).toBe(422)
    expect((await create({ assignedTo: 999_999 })).status).toBe(422)
    expect((await create({ assignedTo: insider.id })).body).toMatchObject({
      assignedTo: 'Ines Growth',
      assigneeId: insider.id,
    })
    const { workers } = (await caller.send(listTaskAssignees)).body
    expect(workers.map(({ id }) => id)).toContain(insider.id)
    expect(workers.map(({ id }) => id)).not.toContain(outsider.id)
  })

  it('refuses callers without permission', async () => {
    const other = server.as('growth.people')
    expect((await other.send(createTask, { body: draft })).status).toBe(403)
    expect((await other.send(listTasks)).status).toBe(403)
    expect((await other.send(changeTask, { params: { id: '1' }, body: {} })).status).toBe(403)
    expect((await other.send(listTaskAssignees)).status).toBe(403)
  })

  it('stores the figures of the day, and how they changed after 30, 60 and 90 days', async () => {
    const zone = await makeZone(server.db, { name: 'Perris Valley' })
    const home = { latitude: 33.96, longitude: -117.38, zone_id: zone.id }
    await makeCustomer(server.db, { ...home, joined_at: shift(server.clock.now(), -DAY) })
    const task = (await create({ cityName: 'perris valley' })).body
    expect(task.figures).toMatchObject({ users: 1 })
    expect(task.marks).toEqual([])
    const begun = server.clock.now()
    await makeCustomer(server.db, { ...home, joined_at: shift(begun, 10 * DAY) })
    await makeCustomer(server.db, { ...home, joined_at: shift(begun, 40 * DAY) })
    server.clock.set(shift(begun, 29 * DAY))
    await markTasks(server.db, server.clock.now())
    // The job was down for a month. A late mark still measures the day it was due.
    server.clock.set(shift(begun, 61 * DAY + HOUR))
    await markTasks(server.db, server.clock.now())
    await markTasks(server.db, server.clock.now())
    await refreshFigures(server.running.services)
    // The caller's session has expired.
    const later = server.as('growth.tab')
    const { tasks } = (await later.send(readCitySummary, { query: { zoneId: String(zone.id) } })).body
    expect(tasks).toHaveLength(1)
    expect(tasks[0]?.marks.map(({ afterDays, change: moved }) => [afterDays, moved.users])).toEqual([
      [30, 1],
      [60, 2],
    ])
    server.clock.set(begun)
  })
})

describe('PATCH /api/marketing/tasks/:id', () => {
  it('finishes and reopens a task, and refuses a stale version', async () => {
    const { id } = (await create({ cityName: 'Banning' })).body
    const done = await change(id, { status: 'done', version: 1 })
    expect(done.body).toMatchObject({ status: 'done', version: 2, doneAt: server.clock.now().toISOString() })
    const stale = await change(id, { title: 'Mine', version: 1 })
    expect(stale).toMatchObject({
      status: 409,
      failure: { code: 'stale', current: { title: 'Open city: Hemet', version: 2 } },
    })
    expect((await change(id, { status: 'done' })).body.version).toBe(2)
    expect((await change(id, { status: 'open', version: 2 })).body).toMatchObject({
      status: 'open',
      doneAt: null,
      version: 3,
    })
    const audits = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_id', '=', String(id))
      .execute()
    expect(audits.map(({ action }) => action)).toEqual(['city_task_created', 'city_task_changed', 'city_task_changed'])
  })
  it('changes only the fields that are sent', async () => {
    const { id } = (await create({ dueDate: '2026-12-24', description: 'Keep me' })).body
    const me = (await caller.worker()).id
    expect((await change(id, { assignedTo: me, priority: 'low' })).body).toMatchObject({
      assigneeId: me,
      priority: 'low',
      due: '2026-12-24',
      details: 'Keep me',
    })
    expect((await change(id, { dueDate: null, assignedTo: null })).body).toMatchObject({ due: null, assigneeId: null })
    expect((await change(id, { description: null })).body.details).toBe('')
    expect((await change(id, { assignedTo: 999_999 })).status).toBe(422)
  })
  it('refuses unknown tasks and invalid values', async () => {
    expect((await change(999_999, { status: 'done' })).status).toBe(404)
    expect((await change(1, { status: 'gone' })).status).toBe(400)
  })
  it('accepts one of several simultaneous changes', async () => {
    const { id } = (await create()).body
    const replies = await Promise.all([1, 2, 3].map((n) => change(id, { title: `Try ${n}`, version: 1 })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })
})

describe('GET /api/marketing/tasks', () => {
  it('lists open tasks by due date and priority, then done tasks, and filters', async () => {
    const mine = server.as('growth.tab')
    const me = (await mine.worker()).id
    const at = (hours: number) => shift(server.clock.now(), -hours * HOUR)
    const of = { assignee_id: me, city_name: 'Norco' }
    await makeTask(server.db, { ...of, title: 'late', due_on: '2026-12-31' })
    await makeTask(server.db, { ...of, title: 'no day' })
    await makeTask(server.db, { ...of, title: 'done', created_at: at(9), done_at: at(1) })
    await makeTask(server.db, { ...of, title: 'soon', due_on: '2026-11-20' })
    await makeTask(server.db, { ...of, title: 'overdue', due_on: '2026-10-01' })
    await makeTask(server.db, { ...of, title: 'soon and urgent', due_on: '2026-11-20', priority: 'high' })
    await makeTask(server.db, { ...of, title: 'soon, can wait', due_on: '2026-11-20', priority: 'low' })
    const titles = async (query: object) => (await mine.send(listTasks, { query })).body.tasks.map(({ title }) => title)
    expect(await titles({ assignee: 'me' })).toEqual([
      'overdue',
      'soon and urgent',
      'soon',
      'soon, can wait',
      'late',
      'no day',
      'done',
    ])
    expect(await titles({ assignee: String(me), status: 'done' })).toEqual(['done'])
    expect(await titles({ city: 'NORCO', status: 'open', limit: '1', page: '2' })).toEqual(['soon and urgent'])
    expect(await titles({ assignee: 'none', city: 'Norco' })).toEqual([])
    const { body } = await mine.send(listTasks, { query: { assignee: 'me', page: '9' } })
    expect(body).toMatchObject({ tasks: [], pagination: { totalItems: 7 } })
  })
  it.each([{ status: 'all' }, { assignee: 'you' }, { page: '0' }, { limit: '101' }])('refuses %j', async (query) => {
    expect((await caller.send(listTasks, { query: query as never })).status).toBe(400)
  })
})
