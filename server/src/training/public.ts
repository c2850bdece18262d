import type { Db } from '#platform/db/db.ts'
import { enrollInRequired, findRequiredProgress } from './learners/enrollment.queries.ts'

export { findRequiredCourses } from './learners/enrollment.queries.ts'

/** Enrolls users in every required course in production, in the caller's transaction; returns how many are new. */
export const enrollInRequiredCourses = (db: Db, userIds: readonly number[], now: Date): Promise<number> =>
  enrollInRequired(db, userIds, now)

/** The progress of users in required courses, in one statement. Users with no such enrollment are left out. */
export async function findTrainingProgress(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, { required: number; completed: number }>> {
  const rows = userIds.length === 0 ? [] : await findRequiredProgress(db, userIds)
  return new Map(rows.map(({ user_id, required, completed }) => [user_id, { required, completed }]))
}
