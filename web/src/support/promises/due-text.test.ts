import { formatMinutes } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketPromise } from '@limber/contract/support/promises/promise.ts'
import { describe, expect, it } from 'vitest'
import { dueMoment, dueOf, reasonText, targetText } from './due-text.ts'

/** A time in California. */
const at = (clock: string, day = '2026-11-17') => new Date(`${day}T${clock}:00-08:00`)
const promise = (more: Partial<TicketPromise> = {}): TicketPromise => ({
  kind: 'first',
  priority: 'medium',
  rank: 'Gold',
  targetMinutes: 60,
  startedAt: at('05:00').toISOString(),
  dueAt: at('10:35').toISOString(),
  leftMinutes: null,
  endedAt: null,
  state: 'running',
  tookMinutes: null,
  ...more,
})
const due = (more: Partial<TicketPromise>, now: Date, status: 'open' | 'closed' = 'open') =>
  dueOf({ promise: promise(more), status }, now)

describe('what a list says about a promise', () => {
  it.each([
    ['a lot of time', '06:00', '4 h 35 min', 'plain'],
    ['an hour', '09:35', '1 h', 'amber'],
    ['some minutes', '09:56', '39 min', 'amber'],
    ['the last minute', '10:34', '1 min', 'amber'],
    ['no time', '10:35', '1 min late', 'red'],
    ['12 minutes too late', '10:47', '12 min late', 'red'],
    ['hours too late', '13:05', '2 h 30 min late', 'red'],
  ])('with %s left', (_case, now, text, tone) => {
    expect(due({}, at(now))).toMatchObject({ text, tone })
  })

  it('is never more than was promised, before the clock of the screen ticks', () => {
    const now = new Date(at('09:35').getTime() - 20_000)
    expect(due({ startedAt: at('09:35').toISOString() }, now)).toMatchObject({ text: '1 h', tone: 'amber' })
  })

  it.each([
    ['2026-11-18', 'Tomorrow'],
    ['2026-11-20', 'Fri, Nov 20'],
    ['2026-12-01', 'Dec 1'],
  ])('due on %s', (day, text) => {
    expect(due({ dueAt: at('09:30', day).toISOString() }, at('16:00'))).toMatchObject({ text, tone: 'plain' })
  })

  it('between two promises, and at the end', () => {
    expect(due({ state: 'kept' }, at('12:00'))).toMatchObject({ text: 'Paused', icon: 'pause' })
    expect(due({ state: 'paused' }, at('12:00'))).toMatchObject({ text: 'Paused' })
    expect(due({ state: 'kept' }, at('12:00'), 'closed')).toMatchObject({ text: 'Kept', icon: 'check' })
    expect(due({ state: 'missed' }, at('12:00'), 'closed')).toMatchObject({ text: 'Missed' })
    expect(due({ state: 'unanswered' }, at('12:00'), 'closed')).toBeUndefined()
    expect(dueOf({ promise: null, status: 'open' }, at('12:00'))).toBeUndefined()
  })
})

describe('the words of a promise', () => {
  it('name the day unless it is today', () => {
    expect(dueMoment(at('10:35').toISOString(), at('09:00'))).toBe('10:35 AM')
    expect(dueMoment(at('10:35', '2026-11-18').toISOString(), at('09:00'))).toBe('tomorrow, 10:35 AM')
    expect(dueMoment(at('10:35', '2026-11-16').toISOString(), at('09:00'))).toBe('yesterday, 10:35 AM')
    expect(dueMoment(at('10:35', '2026-11-20').toISOString(), at('09:00'))).toBe('Fri, Nov 20, 10:35 AM')
  })

  it('give the reason', () => {
    expect(reasonText(promise())).toBe('Gold, medium priority: 1 business hour.')
    expect([30, 90, 120].map(targetText)).toEqual([
      '30 business minutes',
      '1 h 30 min of business hours',
      '2 business hours',
    ])
    expect([5, 60, 61, 600, 630].map(formatMinutes)).toEqual(['5 min', '1 h', '1 h 1 min', '10 h', '10 h'])
  })
})
