/** Training ends by itself when its courses do. */
export { endTrainingWhen } from './end-of-training.ts'
/** Who can be sent to a session: the one answer to "is this stretcher ready?", for every area. */
export { findSessionStretchers, readinessOn, type SessionStretcher } from './stretcher.queries.ts'
