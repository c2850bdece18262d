/** The live topic of training: a course, a module, a lesson, a file or a learner changed. */
export const TRAINING_TOPIC = 'training'
