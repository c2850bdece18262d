import type { Db } from '#platform/db/db.ts'

/** How far a user is in the courses that every stretcher has to take. */
export interface TrainingProgress {
  required: number
  completed: number
}

/**
 * What stretchers ask of training. Training serves it through its public file and `app.ts` hands it over, so that
 * training may know stretchers in turn.
 */
export interface TrainingDesk {
  /** Enrols a user in every required course in production, in each once, in the caller's transaction; says in how many. */
  enrol(db: Db, userId: number, now: Date): Promise<number>
  /** The progress of these users, in one statement; whoever is enrolled in nothing is left out. */
  findProgress(db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, TrainingProgress>>
}
