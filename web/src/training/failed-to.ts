import { CallFailure } from '#platform/api/call-failure.ts'
import { prefixFailure } from '#platform/api/prefix-failure.ts'

/** The actions that banners can name as failed. */
export type Action =
  | 'load courses'
  | 'load modules'
  | 'load lessons'
  | 'load course for preview'
  | `${'create' | 'update' | 'delete' | 'reorder'} ${'course' | 'module' | 'lesson' | 'modules' | 'lessons'}`
  | 'load lesson'
  | 'load files'
  | 'check file usage'
  | 'load analytics'
  | 'delete asset'
  | 'add question'
  | 'update question'
  | 'delete question'
  | 'save quiz settings'
  | 'grant another attempt'
  | 'load learners'
  | 'find users'
  | 'enroll learner'
  | 'withdraw learner'
  | 'check readiness'

/** Replaces the message of an error page that is not ours, such as a proxy's, with one text for every status. */
const withDefaultText = (error: unknown): unknown =>
  error instanceof CallFailure && error.code.startsWith('status_')
    ? new CallFailure(error.status, { error: 'API request failed', code: error.code }, error.retryAfter)
    : error

/** The failure with the text of a training banner: 'Failed to create course: …'. */
export const failedTo = (action: Action, error: unknown): CallFailure =>
  prefixFailure(`Failed to ${action}`, withDefaultText(error))

/** Prefixes a failure as training banners do; an aborted read is passed through. */
export async function nameFailure<T>(action: Action, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw signal?.aborted ? error : failedTo(action, error)
  }
}
