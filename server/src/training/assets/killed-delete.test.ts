// @module-tag slow
import { spawn } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '#platform/clock.ts'
import { bundledProgram } from '#platform/testing/testing.programs.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCourse } from '../training.factory.ts'
import { sweepFiles } from '../training.jobs.ts'
import { storageKey } from './files.ts'

const program = new URL('./killed-delete.testing.ts', import.meta.url)
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const LESSONS = 1000

/** A course with lessons, each with a file and a learner's attempt and progress. */
async function makeCourseWithEverything(): Promise<string> {
  const { id, course_key } = await makeCourse(server.db)
  const user = (await makeCustomer(server.db)).id
  await sql`insert into training_modules (course_id, module_key, title, position, created_at, updated_at) values (${id}, 'm', 'M', 0, now(), now())`.execute(
    server.db,
  )
  await sql`insert into training_lessons (course_id, module_id, lesson_key, title, content_type, content, position, created_at, updated_at)
    select ${id}, (select id from training_modules where course_id = ${id}), 'l' || n, 'L', 'text', '{}', n, now(), now() from generate_series(1, ${LESSONS}) n`.execute(
    server.db,
  )
  await sql`insert into training_progress (lesson_id, customer_id, started_at, reported_at) select id, ${user}, now(), now() from training_lessons where course_id = ${id}`.execute(
    server.db,
  )
  await sql`insert into training_attempts (lesson_id, customer_id, number, questions, passing_score, started_at) select id, ${user}, 1, '[]', 70, now() from training_lessons where course_id = ${id}`.execute(
    server.db,
  )
  await sql`insert into training_assets (name, type, filename, mime_type, quality, original_size, final_size, course_id, created_at)
    select lpad(id::text, 26, 'x') || '.png', 'image', 'x', 'image/png', 'high', 1, 1, ${id}, now() from training_lessons where course_id = ${id}`.execute(
    server.db,
  )
  return course_key
}

async function deleteAndKill(key: string, after: number | undefined) {
  const child = spawn(
    process.execPath,
    [await bundledProgram(program), server.running.services.config.databaseUrl, key],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.stdout.once('data', () => {
    if (after !== undefined) setTimeout(() => child.kill('SIGKILL'), after)
  })
  await ended
}

async function count(key: string) {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from training_courses where course_key = ${key}) * ${LESSONS} as course,
      (select count(*) from training_lessons) as lessons, (select count(*) from training_progress) as progress,
      (select count(*) from training_attempts) as attempts, (select count(*) from training_assets) as assets,
      ${LESSONS} - (select count(*) from audit_log where subject_id = ${key}) * ${LESSONS} as unaudited,
      ${LESSONS} - (select count(*) from outbox where channel = 'job') * ${LESSONS / 2} as unposted`.execute(server.db)
  return Object.values(rows[0] ?? {}).map(Number)
}

const FILES = 25
const IN_TWO_DAYS = { now: () => new Date(Date.now() + 2 * DAY) }

/** Stores files for some of the records, as uploads do. */
async function storeFiles() {
  const { storage } = server.running.services
  const { rows } = await sql<{ name: string }>`select name from training_assets order by name limit ${FILES}`.execute(
    server.db,
  )
  for (const { name } of rows) await storage.put(storageKey(name), Buffer.from('x'), { type: 'image/png' })
}

async function countFiles() {
  let files = 0
  for await (const _ of server.running.services.storage.list(storageKey(''))) files++
  return files
}

describe('D2 a process killed while it deletes a course', () => {
  it('deletes everything or nothing: rows, audit row and the job that deletes its files; the sweep leaves no orphans', async () => {
    const key = await makeCourseWithEverything()
    await storeFiles()
    for (const after of [0, 10, 25, 45, 70, 110, 160, undefined]) {
      await deleteAndKill(key, after)
      const counts = await count(key)
      expect([LESSONS, 0]).toContain(counts[0])
      expect(new Set(counts).size, counts.join()).toBe(1)
      // Whether or not the job ran, after the sweep a file exists exactly if its record does.
      await sweepFiles({ ...server.running.services, clock: IN_TWO_DAYS })
      expect(await countFiles()).toBe(counts[0] === 0 ? 0 : FILES)
      if (counts[0] === 0) break
    }
    expect((await count(key))[0]).toBe(0)
  })
})
