import { systemClock } from '#platform/clock.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { runWork } from '#platform/db/work.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { lockCourse, removeCourse } from '../courses/course.queries.ts'
import { deleteFilesAfterCommit } from './files.ts'

/** A process that deletes a course; the test kills it at any moment. */
async function main() {
  const db = openDb(openPool(process.argv[2] ?? '', { size: 1 }))
  process.stdout.write('ready\n')
  await runWork(
    { db, clock: systemClock, keyring: makeKeyring('test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz', []) },
    { call: 'test' },
    async (work) => {
      const course = await lockCourse(work.db, process.argv[3] ?? '')
      if (!course) return
      deleteFilesAfterCommit(work, await removeCourse(work.db, course.id))
      work.audit({ action: 'course_deleted', subject: 'course', subjectId: course.course_key })
    },
  )
  await db.destroy()
}

await main()
