import { describe, expect, it } from 'vitest'
import { failureOf, networkDown } from '#platform/api/call-failure.ts'
import { failedTo } from './failed-to.ts'

const answered = (status: number, text: string) =>
  failureOf({ status, text, header: (name) => (name === 'Retry-After' ? '7' : null) })
const ours = JSON.stringify({ error: 'It is gone.', message: 'It is gone.', code: 'not_found' })

describe('a call of training that failed', () => {
  it.each([404, 413, 502, 503])('with the page of a proxy and status %i is an API request that failed', (status) => {
    const { message, ...failure } = failedTo('load courses', answered(status, '<html>No.</html>'))
    expect(message).toBe('Failed to load courses: API request failed')
    expect(failure).toMatchObject({ status, code: `status_${status}`, retryAfter: 7 })
  })

  it.each([
    ['the server', answered(404, ours), 'Failed to load courses: It is gone.'],
    ['the line', networkDown(), 'Failed to load courses: The server cannot be reached. Check your connection.'],
    ['the page', new TypeError('x'), 'Failed to load courses: Something went wrong on this page.'],
  ])('says what %s has to say', (_, error, words) => {
    expect(failedTo('load courses', error).message).toBe(words)
  })
})
