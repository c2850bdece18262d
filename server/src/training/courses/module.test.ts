import {
  createModule,
  deleteModule,
  listModules,
  reorderModules,
  updateModule,
} from '@limber/contract/training/courses/module.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCourse, makeLesson, makeModule } from '../training.factory.ts'

let server: TestServer
let author: TestCaller
let course_key: string
beforeAll(async () => {
  server = await startTestServer()
  author = server.as('training.manage')
  course_key = (await makeCourse(server.db, { course_key: 'anatomy' })).course_key
})
afterAll(() => server.stop())

const create = (body: object) => author.send(createModule, { body: { course_key, ...body } as never })
const update = (body: object) => author.send(updateModule, { body: { course_key, ...body } as never })
const keys = async () =>
  (await author.send(listModules, { body: { course_key } })).body.data.map((one) => one.module_key)

describe('POST /api/training/modules/create', () => {
  it('adds a module at the end, required and active', async () => {
    const reply = await create({ module_key: 'Hips And Legs', title: 'hips and legs', estimated_duration_minutes: 40 })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.data).toMatchObject({
      course_key,
      module_key: 'hips_and_legs',
      title: 'Hips And Legs',
      is_required: true,
      is_active: true,
      prerequisites: [],
      lessonCount: 0,
      position: 0,
    })
    expect((await create({ module_key: 'spine', title: 'Spine' })).body.data.position).toBe(1)
  })
  it('refuses a key that exists in the same course, and accepts one from another course', async () => {
    expect((await create({ module_key: 'spine', title: 'Spine' })).failure.code).toBe('key_taken')
    const other = await makeCourse(server.db)
    expect((await create({ course_key: other.course_key, module_key: 'spine', title: 'Spine' })).status).toBe(200)
  })
  it('J31 refuses the module itself and modules of other courses as prerequisites', async () => {
    const foreign = await makeModule(server.db)
    const own = await create({ module_key: 'self', title: 'Self', prerequisites: ['self'] })
    expect([own.status, own.failure.message]).toEqual([422, 'A module cannot be its own prerequisite.'])
    const other = await create({ module_key: 'self', title: 'Self', prerequisites: [foreign.module_key] })
    expect([other.status, other.failure.message]).toEqual([
      422,
      `The prerequisite "${foreign.module_key}" is not a module of this course.`,
    ])
    expect(await keys()).not.toContain('self')
  })
  it.each([
    [{ module_key: 'x' }, 400],
    [{ title: 'x' }, 400],
    [{ module_key: '  ', title: 'x' }, 400],
    [{ module_key: 'x', title: '   ' }, 400],
    [{ module_key: 'x', title: 'x', estimated_duration_minutes: 1.5 }, 400],
    [{ module_key: 'x', title: 'x', position: 3 }, 400],
    [{ module_key: 'x', title: 'x', course_key: 'nowhere' }, 404],
  ])('refuses %o', async (body, status) => {
    expect((await create(body)).status).toBe(status)
  })
  it('requires the training permission', async () => {
    const other = server.as('businesses.manage')
    expect((await other.send(listModules, { body: { course_key } })).status).toBe(403)
  })
})

describe('POST /api/training/modules/update', () => {
  it('O1 refuses a stale version and returns the current module', async () => {
    const { version } = (await create({ module_key: 'versions', title: 'Versions' })).body.data
    expect((await update({ module_key: 'versions', title: 'Theirs', version })).status).toBe(200)
    const mine = await update({ module_key: 'versions', title: 'Mine', version })
    expect([mine.status, mine.failure.code]).toEqual([409, 'stale'])
    expect(mine.failure.current).toMatchObject({ title: 'Theirs' })
  })
  it('refuses prerequisites that form a loop', async () => {
    await create({ module_key: 'a', title: 'A' })
    await create({ module_key: 'b', title: 'B', prerequisites: ['a'] })
    const round = await update({ module_key: 'a', prerequisites: ['b'] })
    expect([round.status, round.failure.message]).toEqual([
      422,
      'These prerequisites form a loop: “A” needs “B” needs “A”.',
    ])
    expect((await update({ module_key: 'b', is_required: false })).body.data).toMatchObject({
      prerequisites: ['a'],
      is_required: false,
    })
  })
  it('never changes a key', async () => {
    expect((await update({ module_key: 'nowhere', title: 'x' })).status).toBe(404)
    expect((await update({ module_key: 'a', new_key: 'z' })).status).toBe(400)
  })
})

describe('POST /api/training/modules/reorder', () => {
  it('reorders all modules', async () => {
    const before = await keys()
    const module_keys = before.toReversed()
    expect((await author.send(reorderModules, { body: { course_key, module_keys } })).status).toBe(200)
    expect(await keys()).toEqual(module_keys)
  })
  it('refuses a list that does not match the modules of the course', async () => {
    const before = await keys()
    for (const module_keys of [before.slice(1), [...before, 'more'], [...before.slice(1), before[1] ?? '']]) {
      const reply = await author.send(reorderModules, { body: { course_key, module_keys } })
      expect([reply.status, reply.failure.code]).toEqual([409, 'changed'])
    }
    expect(await keys()).toEqual(before)
  })
})

describe('POST /api/training/modules/delete', () => {
  it('deletes its lessons and removes it from the prerequisites of other modules', async () => {
    const module = (await create({ module_key: 'gone', title: 'Gone' })).body.data
    await create({ module_key: 'after', title: 'After', prerequisites: ['gone'] })
    await makeLesson(server.db, { module_id: module.id })
    await makeLesson(server.db, { module_id: module.id, position: 1 })
    const reply = await author.send(deleteModule, { body: { course_key, module_key: 'gone' } })
    expect(reply.body.data).toEqual({
      course_key,
      module_key: 'gone',
      deleted: { lessons: 2, attempts: 0, progress: 0, assets: 0 },
    })
    const rest = (await author.send(listModules, { body: { course_key } })).body.data
    expect(rest.find(({ module_key }) => module_key === 'after')?.prerequisites).toEqual([])
    expect((await author.send(deleteModule, { body: { course_key, module_key: 'gone' } })).status).toBe(404)
  })
})
