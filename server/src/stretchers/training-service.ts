import type { Db } from '#platform/db/db.ts'

/** Progress of a user in the required courses. */
export interface TrainingProgress {
  required: number
  completed: number
}

/** A required course of a user. */
export interface RequiredCourse {
  course_key: string
  title: string
  completed_at: Date | null
}

/** What stretchers need from training. `app.ts` injects it, because training imports stretchers. */
export interface TrainingService {
  /** Enrolls users once in every required production course, in the caller's transaction. Returns how many. */
  enroll(db: Db, userIds: readonly number[], now: Date): Promise<number>
  /** Progress by user, in one statement. Leaves out users without an enrollment. */
  findProgress(db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, TrainingProgress>>
  /** The required courses that a user is enrolled in, by name. */
  findCourses(db: Db, userId: number): Promise<readonly RequiredCourse[]>
}
