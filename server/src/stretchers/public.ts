/** Training calls this when a course is completed. */
export { finishTrainingIf } from './finish-training.ts'
/** The single definition of whether a stretcher is ready for a session. */
export { findSessionStretchers, readinessOn, type SessionStretcher } from './stretcher.queries.ts'
