import { describe, expect, it } from 'vitest'
import { makeSession } from '../calendar/calendar.testing.ts'
import { isInWeek, liftSession, momentOf, moveSpot, snap, spotOf } from './plan.ts'

const ZONE = 'America/Los_Angeles'

describe('a spot', () => {
  it('is a start in the time zone of the business', () => {
    const spot = { day: '2036-11-18', minute: 9 * 60 + 30 }
    expect(momentOf(spot, ZONE)?.toISOString()).toBe('2036-11-18T17:30:00.000Z')
    expect(spotOf(new Date('2036-11-18T17:30:00Z'), ZONE)).toEqual(spot)
  })

  it('has no moment in the hour that daylight saving time skips', () => {
    expect(momentOf({ day: '2036-03-09', minute: 2 * 60 + 30 }, ZONE)).toBeUndefined()
  })

  it.each([
    [-20, 0],
    [0, 0],
    [29, 0],
    [30, 30],
    [569, 540],
    [2_000, 1_410],
  ])('snaps minute %i to %i', (minute, snapped) => expect(snap(minute)).toBe(snapped))

  const nine = { day: '2036-11-18', minute: 540 }
  it.each([
    ['ArrowRight', false, { day: '2036-11-19', minute: 540 }],
    ['ArrowLeft', true, { day: '2036-11-11', minute: 540 }],
    ['ArrowUp', false, { day: '2036-11-18', minute: 510 }],
    ['ArrowDown', false, { day: '2036-11-18', minute: 570 }],
    ['a', false, undefined],
  ])('moves with %s, with Shift: %s', (key, hasShift, moved) =>
    expect(moveSpot(nine, key, hasShift, '2036-11-17')).toEqual(moved),
  )

  it('begins at nine, and stays on its day', () => {
    expect(moveSpot(undefined, 'ArrowDown', false, '2036-11-17')).toEqual({ day: '2036-11-17', minute: 540 })
    const last = { day: '2036-11-18', minute: 1_410 }
    expect(moveSpot(last, 'ArrowDown', false, '2036-11-17')).toEqual(last)
  })
})

it('knows the days of a week', () => {
  expect(['2036-11-16', '2036-11-17', '2036-11-23', '2036-11-24'].map((day) => isInWeek(day, '2036-11-17'))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

it('lifts a session only before its start, and with its block', () => {
  expect(liftSession(makeSession())).toMatchObject({ blockId: 11, minutes: 240, zone: ZONE })
  expect(liftSession(makeSession({ status: 'in_progress' }))).toBeUndefined()
  expect(liftSession(makeSession({ status: 'delivered' }))).toBeUndefined()
  expect(liftSession(makeSession({ block_id: null }))).toBeUndefined()
})
