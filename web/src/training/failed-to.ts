import { wordsOf } from '#platform/api.ts'
import { CallFailure } from '#platform/call-failure.ts'

/** What can fail here, as banners name it. */
export type Action =
  | 'load courses'
  | 'load modules'
  | 'load lessons'
  | 'load course for preview'
  | `${'create' | 'update' | 'delete' | 'reorder'} ${'course' | 'module' | 'lesson' | 'modules' | 'lessons'}`
  | 'load lesson'
  | 'load files'
  | 'load analytics'
  | 'delete asset'
  | 'add question'
  | 'update question'
  | 'delete question'
  | 'save quiz settings'
  | 'give another attempt'
  | 'check readiness'

/** The same failure, in the words of a training banner: 'Failed to create course: …'. */
export function failedTo(action: Action, error: unknown): CallFailure {
  const text = `Failed to ${action}: ${wordsOf(error)}`
  if (!(error instanceof CallFailure)) return new CallFailure(0, { error: text, code: 'page' })
  const { status, code, fields, current, retryAfter } = error
  return new CallFailure(status, { error: text, message: text, code, fields: [...fields], current }, retryAfter)
}

/** Lets a failure of the work speak as a training banner does; a read that was called off stays what it is. */
export async function named<T>(action: Action, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw signal?.aborted ? error : failedTo(action, error)
  }
}
