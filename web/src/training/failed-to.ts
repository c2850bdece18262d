import { CallFailure } from '#platform/api/call-failure.ts'
import { namedFailure } from '#platform/api/named-failure.ts'

/** What can fail here, as banners name it. */
export type Action =
  | 'load courses'
  | 'load modules'
  | 'load lessons'
  | 'load course for preview'
  | `${'create' | 'update' | 'delete' | 'reorder'} ${'course' | 'module' | 'lesson' | 'modules' | 'lessons'}`
  | 'load lesson'
  | 'load files'
  | 'find uses'
  | 'load analytics'
  | 'delete asset'
  | 'add question'
  | 'update question'
  | 'delete question'
  | 'save quiz settings'
  | 'give another attempt'
  | 'load learners'
  | 'find users'
  | 'enrol learner'
  | 'withdraw learner'
  | 'check readiness'

/** Where nothing of ours answered, as a proxy with a page of its own, training has the same words for every status. */
const withDefaultWords = (error: unknown): unknown =>
  error instanceof CallFailure && error.code.startsWith('status_')
    ? new CallFailure(error.status, { error: 'API request failed', code: error.code }, error.retryAfter)
    : error

/** The same failure, in the words of a training banner: 'Failed to create course: …'. */
export const failedTo = (action: Action, error: unknown): CallFailure =>
  namedFailure(`Failed to ${action}`, withDefaultWords(error))

/** Lets a failure of the work speak as a training banner does; a read that was called off stays what it is. */
export async function named<T>(action: Action, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw signal?.aborted ? error : failedTo(action, error)
  }
}
