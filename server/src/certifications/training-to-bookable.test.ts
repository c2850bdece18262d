import {
  createCertification,
  listDueCertifications,
  updateCertification,
} from '@limber/contract/certifications/certification.ts'
import {
  createCertificationType,
  listCertificationTypes,
  updateCertificationType,
} from '@limber/contract/certifications/type.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { readStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCourse } from '#training/training.factory.ts'
import { makeCertification, makeCertificationType } from './certification.factory.ts'
import { warnOfExpiry } from './warn-of-expiry.ts'

let server: TestServer
let clerk: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.asSteppedUp('businesses.manage')
})
afterAll(() => server.stop())

const complete = (courseId: number, customerId: number, completed_at: Date | null) =>
  sql`insert into training_enrolments (course_id, customer_id, enrolled_at, started_at, completed_at)
    values (${courseId}, ${customerId}, ${server.clock.now()}, ${server.clock.now()}, ${completed_at})
    on conflict (course_id, customer_id) do update set completed_at = excluded.completed_at`.execute(server.db)

describe('the courses of a certification type', () => {
  it('are set, shown, kept when left out, and refused when unknown', async () => {
    const course = await makeCourse(server.db, { title: 'Anatomy basics' })
    const made = await clerk.send(createCertificationType, {
      body: { certificationName: 'Mat work', courses: [course.course_key] },
    })
    expect(made.body.courses).toEqual([{ id: course.course_key, courseName: 'Anatomy basics' }])
    const { types } = (await clerk.send(listCertificationTypes, {})).body
    expect(types.find(({ id }) => id === made.body.id)?.courses).toEqual(made.body.courses)
    const change = (courses?: string[]) =>
      clerk.send(updateCertificationType, {
        params: { id: String(made.body.id) },
        body: { certificationName: 'Mat work', ...(courses && { courses }) },
      })
    expect((await change()).body.courses).toEqual(made.body.courses)
    const unknown = await change(['no_such_course'])
    expect([unknown.status, unknown.failure.error]).toEqual([
      422,
      'One of these courses does not exist. Reload and select again.',
    ])
    expect((await change([])).body.courses).toEqual([])
  })

  it('name what is missing, refuse the certification until then, and offer to issue it afterwards', async () => {
    const [first, second] = [
      await makeCourse(server.db, { title: 'Safety one' }),
      await makeCourse(server.db, { title: 'Safety two' }),
    ]
    const type = await clerk.send(createCertificationType, {
      body: { certificationName: 'Safety', isRequired: true, courses: [first.course_key, second.course_key] },
    })
    const who = await makeStretcher(server.db)
    const body = {
      userId: who.customer_id,
      certificationTypeId: type.body.id,
      name: 'Ana Quiroga',
      instructor: 'Ines Park',
    }
    const dueFor = async () =>
      (await clerk.send(listDueCertifications, {})).body.due.filter(({ userId }) => userId === who.customer_id)
    const needed = async () =>
      (await clerk.send(readStretcher, { params: { id: String(who.id) } })).body.requirements.certifications.find(
        ({ id }) => id === type.body.id,
      )
    await complete(first.id, who.customer_id, server.clock.now())
    expect((await needed())?.courses.map(({ courseName, completedAt }) => [courseName, completedAt !== null])).toEqual([
      ['Safety one', true],
      ['Safety two', false],
    ])
    const early = await clerk.send(createCertification, { body })
    expect([early.status, early.failure.error]).toEqual([
      422,
      'Ana Quiroga has not completed these courses yet: Safety two.',
    ])
    expect(await dueFor()).toEqual([])
    await complete(second.id, who.customer_id, server.clock.now())
    expect(await dueFor()).toMatchObject([{ certificationName: 'Safety', certificationTypeId: type.body.id }])
    const issued = await clerk.send(createCertification, { body })
    expect(issued.status).toBe(200)
    expect(await dueFor()).toEqual([])
    expect((await needed())?.state).toBe('valid')
    // Another type without its courses is no way around.
    const other = await makeStretcher(server.db)
    const moved = await clerk.send(updateCertification, {
      params: { id: String(issued.body.id) },
      body: { ...body, userId: other.customer_id },
    })
    expect(moved.status).toBe(422)
  })

  it('are listed for renewal when they lapsed or expire soon, unless a longer one replaces them', async () => {
    const who = await makeStretcher(server.db)
    const gone = await makeStretcher(server.db, { status: 'inactive' })
    const required = await makeCertificationType(server.db, { is_required: true })
    const optional = await makeCertificationType(server.db)
    const inDays = (days: number) => addDays(companyDay(server.clock.now()), days)
    const make = (type_id: number, days: number, customer_id = who.customer_id) =>
      makeCertification(server.db, { customer_id, type_id, issued_on: inDays(-900), valid_until: inDays(days) })
    const listed = async () =>
      (await clerk.send(listDueCertifications, {})).body.renewals
        .filter(({ userId }) => userId === who.customer_id || userId === gone.customer_id)
        .map(({ certificationId }) => certificationId)
    await make(required.id, -800)
    await make(required.id, -5, gone.customer_id)
    const lapsed = await make(required.id, -400)
    const soon = await make(optional.id, 30)
    expect(await listed()).toEqual([lapsed.id, soon.id])
    await make(required.id, 31)
    await make(optional.id, 60)
    expect(await listed()).toEqual([])
    const other = await makeCertificationType(server.db)
    await make(other.id, -91)
    expect(await listed()).toEqual([])
    const recent = await make(other.id, -90)
    expect(await listed()).toEqual([recent.id])
  })

  it('are listed only for those who may issue certifications', async () => {
    expect((await server.as('training.manage').send(listDueCertifications, {})).status).toBe(403)
  })
})

describe('the warnings before a certification expires', () => {
  /** The warning days of the emails about a certification, in order. */
  const warnedOf = async (id: number) =>
    (
      await server.db
        .selectFrom('outbox')
        .select('key')
        .where('about', '=', `certification ${id}`)
        .orderBy('id')
        .execute()
    ).map(({ key }) => Number(key.split(':').at(-1)))
  /** The last valid day, counted from the day of the database. */
  const setDaysLeft = (id: number, days: number) =>
    sql`update certifications set issued_on = least(issued_on, company_day(now())), valid_until = company_day(now()) + ${days}::int where id = ${id}`.execute(
      server.db,
    )
  const warn = () => warnOfExpiry(server.running.services)

  it('are sent 60, 30 and 7 days before, once each, also by two processes at once', async () => {
    const { id: type_id } = await makeCertificationType(server.db, { name: 'Table care' })
    const who = await makeStretcher(server.db)
    const { id } = await makeCertification(server.db, { customer_id: who.customer_id, type_id })
    for (const [days, expected] of [
      [61, []],
      [60, [60]],
      [59, [60]],
      [30, [60, 30]],
      [8, [60, 30]],
      [7, [60, 30, 7]],
      [0, [60, 30, 7]],
      [-1, [60, 30, 7]],
    ] as const) {
      // The warnings belong to the last valid day, so they move with it.
      await setDaysLeft(id, days)
      await sql`update certification_warnings set valid_until = company_day(now()) + ${days}::int where certification_id = ${id}`.execute(
        server.db,
      )
      await Promise.all([warn(), warn(), warn()])
      expect([days, await warnedOf(id)]).toEqual([days, expected])
    }
  })

  it('are not sent for a revoked or renewed one, nor to a stretcher who left', async () => {
    const { id: type_id } = await makeCertificationType(server.db, { name: 'Spine' })
    const make = async (overrides = {}) => {
      const who = await makeStretcher(server.db, overrides)
      const { id } = await makeCertification(server.db, { customer_id: who.customer_id, type_id })
      await setDaysLeft(id, 20)
      return { ...who, certification: id }
    }
    const [revoked, renewed, gone, plain] = [
      await make(),
      await make(),
      await make({ status: 'inactive', deactivated_at: server.clock.now() }),
      await make(),
    ]
    await sql`update certifications set revoked_at = now(), revoke_reason = 'Lost' where id = ${revoked.certification}`.execute(
      server.db,
    )
    await makeCertification(server.db, { customer_id: renewed.customer_id, type_id })
    await warn()
    for (const { certification } of [revoked, renewed, gone]) expect(await warnedOf(certification)).toEqual([])
    expect(await warnedOf(plain.certification)).toEqual([30])
    const mail = await eventually(() =>
      server.db.selectFrom('mailbox').selectAll().where('to_address', '=', plain.email).executeTakeFirst(),
    )
    expect(mail?.subject).toBe('Your certification “Spine” expires in 20 days')
    expect(mail?.text).toContain('you cannot be scheduled for on-site sessions after that day')
  })
})
