import { expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#platform/clock.ts'
import { isSuccess, nextAttempt } from './delivery.rules.ts'

const now = new Date('2026-11-17T12:00:00Z')
const waitAfter = (tries: number, random = 0) => {
  const next = nextAttempt(tries, now, random)
  return next && next.getTime() - now.getTime()
}

it('retries nine times, each later, with up to a tenth of jitter', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((tries) => waitAfter(tries))).toEqual([
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ])
  expect(waitAfter(2, 1)).toBe(5.5 * MINUTE)
  expect(waitAfter(10)).toBeUndefined()
})

it('takes only 2xx as success', () => {
  expect([200, 204, 299].map(isSuccess)).toEqual([true, true, true])
  expect([null, 199, 301, 307, 400, 410, 500].some(isSuccess)).toBe(false)
})
