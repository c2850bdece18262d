import { describe, expect, it } from 'vitest'
import { failureOf, networkDown } from '#platform/api/call-failure.ts'
import { failedTo } from './failed-to.ts'

const answered = (status: number, text: string) =>
  failureOf({ status, text, header: (name) => (name === 'Retry-After' ? '7' : null) })
const ourErrorBody = JSON.stringify({ error: 'It does not exist.', message: 'It does not exist.', code: 'not_found' })

describe('a failed training call', () => {
  it.each([404, 413, 502, 503])('reports a failed API request for a proxy error page with status %i', (status) => {
    const { message, ...failure } = failedTo('load courses', answered(status, '<html>No.</html>'))
    expect(message).toBe('Failed to load courses: API request failed')
    expect(failure).toMatchObject({ status, code: `status_${status}`, retryAfter: 7 })
  })

  it.each([
    ['the server', answered(404, ourErrorBody), 'Failed to load courses: It does not exist.'],
    [
      'the connection',
      networkDown(),
      "Failed to load courses: Couldn't reach the server. Check your connection and try again.",
    ],
    [
      'the page',
      new TypeError('x'),
      'Failed to load courses: Something went wrong on this page. Reload it and try again.',
    ],
  ])('passes on the message of %s', (_, error, expected) => {
    expect(failedTo('load courses', error).message).toBe(expected)
  })
})
