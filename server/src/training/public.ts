import type { Db } from '#platform/db/db.ts'
import { enrolInRequired, findRequiredProgress } from './learners/enrolment.queries.ts'

/** Enrols a user in every required course in production, in each once, in the caller's transaction; says in how many. */
export const enrolInRequiredCourses = (db: Db, userId: number, now: Date): Promise<number> =>
  enrolInRequired(db, userId, now)

/** How far users are in required courses, in one statement; whoever is enrolled in none is left out. */
export async function findTrainingProgress(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, { required: number; completed: number }>> {
  const rows = userIds.length === 0 ? [] : await findRequiredProgress(db, userIds)
  return new Map(rows.map(({ user_id, required, completed }) => [user_id, { required, completed }]))
}
