/** Training calls this when a course is completed. */
export { endTrainingWhen } from './end-of-training.ts'
/** The single definition of whether a stretcher is ready for a session. */
export { findSessionStretchers, readinessOn, type SessionStretcher } from './stretcher.queries.ts'
