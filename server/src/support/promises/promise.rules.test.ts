import { addDays } from '@limber/contract/kit/days.ts'
import { customerRanks } from '@limber/contract/support/promises/promise.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addBusinessTime, type BusinessHours, businessTime } from './business-time.rules.ts'
import { type Clock, type Entry, entryOf, type Rules, replay } from './promise.rules.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Everything in the property happens at multiples of it. */
const STEP = 15 * MINUTE
const weekday = { from: '09:00', to: '17:00' }
const allRanks = (minutes: number | null) => ({ Platinum: minutes, Gold: minutes, Silver: minutes, Bronze: minutes })
const rules: Rules = {
  version: 1,
  hours: {
    zone: 'America/Los_Angeles',
    week: [null, weekday, weekday, weekday, weekday, weekday, null],
    holidays: new Set(),
  },
  targets: {
    first: { high: allRanks(60), medium: { ...allRanks(240), Gold: 60 }, low: allRanks(null) },
    next: { high: allRanks(60), medium: allRanks(120), low: allRanks(null) },
  },
}
/** A time on Tuesday, November 17. */
const at = (clock: string) => new Date(`2026-11-17T${clock}:00-08:00`)
const entry = (kind: 'asked' | 'answered' | 'closed' | 'opened' | 'snoozed' | 'woken', clock: string): Entry => ({
  kind,
  at: at(clock),
})
const opening = { priority: 'medium', rank: 'Gold' } as const
const run = (...entries: Entry[]) => replay(opening, entries, rules)
const minutes = (clock: Clock | undefined) => clock && clock.spentMs / MINUTE

describe('promises', () => {
  it('are due after the target of the priority and the rank', () => {
    const [clock] = run(entry('asked', '09:35'))
    expect(clock).toMatchObject({
      kind: 'first',
      targetMs: HOUR,
      dueAt: at('10:35'),
      soonAt: at('09:35'),
      outcome: null,
    })
    const [bronze] = replay({ ...opening, rank: 'Bronze' }, [entry('asked', '09:35')], rules)
    expect(bronze).toMatchObject({ dueAt: at('13:35'), soonAt: at('12:35') })
    const [none] = replay({ ...opening, priority: 'low' }, [entry('asked', '09:35')], rules)
    expect(none).toMatchObject({ targetMs: null, dueAt: null, soonAt: null })
  })

  it('are kept by a response until the moment they are due, then missed', () => {
    expect(run(entry('asked', '09:35'), entry('answered', '10:35'))).toMatchObject([{ outcome: 'kept' }])
    const [late] = run(entry('asked', '09:35'), entry('answered', '10:36'))
    expect(late).toMatchObject({ outcome: 'missed', dueAt: at('10:35'), endedAt: at('10:36') })
    expect(minutes(late)).toBe(61)
  })

  it('begin again with the next message, and wait for the customer in between', () => {
    const [first, next] = run(
      entry('asked', '09:00'),
      entry('asked', '09:10'),
      entry('answered', '09:18'),
      entry('asked', '13:00'),
    )
    expect(first).toMatchObject({ kind: 'first', startedAt: at('09:00'), outcome: 'kept' })
    expect(minutes(first)).toBe(18)
    expect(next).toMatchObject({ kind: 'next', startedAt: at('13:00'), dueAt: at('15:00') })
  })

  it('pause while the ticket is snoozed', () => {
    const [paused] = run(entry('asked', '09:00'), entry('snoozed', '09:20'))
    expect(paused).toMatchObject({ runningSince: null, dueAt: null, soonAt: null })
    const [resumed] = run(entry('asked', '09:00'), entry('snoozed', '09:20'), entry('woken', '13:00'))
    expect(resumed).toMatchObject({ dueAt: at('13:40') })
    const [woken] = run(entry('asked', '09:00'), entry('snoozed', '09:20'), entry('asked', '14:00'))
    expect(woken).toMatchObject({ startedAt: at('09:00'), dueAt: at('14:40') })
  })

  it('end without a response when the customer writes to a closed ticket', () => {
    const [closed, open] = run(entry('asked', '09:00'), entry('closed', '09:30'), entry('asked', '15:00'))
    expect(closed).toMatchObject({ outcome: 'unanswered' })
    expect(minutes(closed)).toBe(30)
    expect(open).toMatchObject({ kind: 'first', startedAt: at('15:00'), dueAt: at('16:00') })
    const [reopened] = run(entry('asked', '09:00'), entry('closed', '09:30'), entry('opened', '15:00'))
    expect(reopened).toMatchObject({ startedAt: at('09:00'), dueAt: at('15:30') })
  })

  it('are missed by a response after closing time, also before the desk opens again', () => {
    expect(run(entry('asked', '16:00'), entry('answered', '17:00'))).toMatchObject([{ outcome: 'kept' }])
    expect(run(entry('asked', '16:00'), entry('answered', '18:00'))).toMatchObject([{ outcome: 'missed' }])
  })

  it('stay missed when the ticket is closed after they were due', () => {
    const [late, open] = run(entry('asked', '09:00'), entry('closed', '11:00'), entry('asked', '15:00'))
    expect(late).toMatchObject({ outcome: 'missed', dueAt: at('10:00') })
    expect(open?.startedAt).toEqual(at('15:00'))
    expect(run(entry('asked', '09:00'), entry('snoozed', '11:00'))).toMatchObject([{ dueAt: at('10:00') }])
    expect(run(entry('asked', '09:00'), entry('snoozed', '11:00'), entry('woken', '12:00'))).toMatchObject([
      { dueAt: at('10:00') },
    ])
  })

  it('follow a change of the priority from the start', () => {
    const toHigh = (clock: string): Entry => ({ kind: 'priority', priority: 'high', at: at(clock) })
    const bronze = { ...opening, rank: 'Bronze' } as const
    expect(replay(bronze, [entry('asked', '09:00'), toHigh('09:30')], rules)).toMatchObject([{ dueAt: at('10:00') }])
    // More time has passed than a high priority allows.
    expect(replay(bronze, [entry('asked', '09:00'), toHigh('11:00')], rules)).toMatchObject([{ dueAt: at('11:00') }])
    const toLow: Entry = { kind: 'priority', priority: 'low', at: at('09:30') }
    expect(replay(bronze, [entry('asked', '09:00'), toLow], rules)).toMatchObject([{ dueAt: null, targetMs: null }])
  })

  it.each([
    ['status', 'Set to Closed', 'closed'],
    ['status', 'Set to Open', 'opened'],
    ['status', 'Reopened by the customer', 'opened'],
    ['snoozed', 'Snoozed', 'snoozed'],
    ['snoozed', 'Snoozed until the customer replies', 'snoozed'],
    ['snoozed', 'Snooze ended', 'woken'],
    ['priority', 'Priority set to high', 'priority'],
    ['tags', 'Tag refund added', undefined],
  ])('read the history: %s, %s', (kind, text, expected) => {
    expect(entryOf(kind, text, at('09:00'))?.kind).toBe(expected)
  })

  it('are what a walk through the thread, step by step, finds', () => {
    const time = fc.integer({ min: 0, max: 48 }).map((half) => {
      const text = String(Math.floor(half / 2)).padStart(2, '0')
      return `${text}:${half % 2 ? '30' : '00'}`
    })
    const day = fc.option(
      fc
        .tuple(time, time)
        .filter(([a, b]) => a !== b)
        .map(([a, b]) => ({ from: a < b ? a : b, to: a < b ? b : a })),
      { freq: 5 },
    )
    const target = fc.constantFrom(15, 60, 90, 240, 480, null)
    const byRank = fc.record({ Platinum: target, Gold: target, Silver: target, Bronze: target })
    const byPriority = fc.record({ high: byRank, medium: byRank, low: byRank })
    const kinds = [
      'asked',
      'asked',
      'answered',
      'closed',
      'opened',
      'snoozed',
      'woken',
      'high',
      'medium',
      'low',
    ] as const
    fc.assert(
      fc.property(
        fc.array(day, { minLength: 7, maxLength: 7 }).filter((week) => week.some(Boolean)),
        fc.constantFrom('America/Los_Angeles', 'Australia/Lord_Howe', 'Europe/Dublin'),
        // Around the changes of clocks.
        fc.constantFrom('2026-03-06', '2026-03-27', '2026-10-30', '2026-12-30'),
        fc.subarray([0, 1, 2, 3, 4]),
        fc.record({ first: byPriority, next: byPriority }),
        fc.record({ priority: fc.constantFrom('low', 'medium', 'high'), rank: fc.constantFrom(...customerRanks) }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom(...kinds)), { maxLength: 12 }),
        (week, zone, start, off, targets, opened, steps) => {
          const hours = { zone, week, holidays: new Set(off.map((days) => addDays(start, days))) }
          let now = Date.parse(`${start}T12:00:00Z`)
          const entries: Entry[] = [{ at: new Date(now), kind: 'asked' }]
          for (const [after, kind] of steps) {
            now += after * STEP
            const moment = new Date(now)
            if (kind === 'high' || kind === 'medium' || kind === 'low')
              entries.push({ at: moment, kind: 'priority', priority: kind })
            else entries.push({ at: moment, kind })
          }
          const settings = { version: 1, hours, targets }
          const found = replay(opened, entries, settings).map(
            ({ kind, startedAt, spentMs, outcome, dueAt, endedAt, ...rest }) => ({
              kind,
              started: startedAt.getTime(),
              spent:
                (spentMs + (rest.runningSince ? businessTime(hours, rest.runningSince, new Date(now)) : 0)) / MINUTE,
              outcome,
              due: dueAt?.getTime() ?? null,
              ended: endedAt?.getTime() ?? null,
            }),
          )
          expect(found).toEqual(walk(opened, entries, settings, now))
        },
      ),
      { numRuns: 200 },
    )
  })
})

interface Walked {
  kind: 'first' | 'next'
  started: number
  spent: number
  outcome: string | null
  due: number | null
  ended: number | null
}

/** Goes through the time of a thread step by step, with the ticket as a few flags. */
function walk(
  { priority: initial, rank }: { priority: 'low' | 'medium' | 'high'; rank: (typeof customerRanks)[number] },
  entries: readonly Entry[],
  { hours, targets }: Rules,
  end: number,
): Walked[] {
  const isOpenAt = openMinutes(hours, entries[0]?.at.getTime() ?? 0, end)
  const done: Walked[] = []
  let priority = initial
  let isClosed = false
  let isSnoozed = false
  let hasAnswer = false
  let one: Walked | undefined
  const targetOf = (kind: 'first' | 'next') => targets[kind][priority][rank]
  const finish = (time: number, isAnswered: boolean) => {
    if (!one) return
    const target = targetOf(one.kind)
    const isLate = one.due !== null && time > one.due
    const outcome = target === null ? null : isLate ? 'missed' : isAnswered ? 'kept' : 'unanswered'
    done.push({ ...one, outcome, ended: time })
    one = undefined
  }
  /** When the promise is due, as far as it is known now. */
  const look = (time: number) => {
    if (!one) return
    const target = targetOf(one.kind)
    const isRunning = !isClosed && !isSnoozed
    if (target === null) one.due = null
    else if (one.spent >= target) one.due ??= time
    else
      one.due = isRunning
        ? (addBusinessTime(hours, new Date(time), (target - one.spent) * MINUTE)?.getTime() ?? null)
        : null
  }
  let place = 0
  for (let time = entries[0]?.at.getTime() ?? 0; time <= end; time += STEP) {
    for (let next = entries[place]; next && next.at.getTime() === time; next = entries[++place]) {
      if (next.kind === 'asked') {
        if (isClosed) finish(time, false)
        isClosed = false
        isSnoozed = false
        one ??= { kind: hasAnswer ? 'next' : 'first', started: time, spent: 0, outcome: null, due: null, ended: null }
      } else if (next.kind === 'answered') {
        finish(time, true)
        hasAnswer = true
      } else if (next.kind === 'priority') {
        const wasLate = one && (targetOf(one.kind) ?? Number.POSITIVE_INFINITY) <= one.spent
        priority = next.priority
        if (one && !wasLate) one.due = null
      } else if (next.kind === 'closed' || next.kind === 'opened') {
        isClosed = next.kind === 'closed'
        if (isClosed) isSnoozed = false
      } else isSnoozed = !isClosed && next.kind === 'snoozed'
      look(time)
    }
    if (one && time < end && !isClosed && !isSnoozed && isOpenAt.has(time)) one.spent += STEP / MINUTE
  }
  return one ? [...done, one] : done
}

/** The steps that are business time. */
function openMinutes(hours: BusinessHours, from: number, to: number): Set<number> {
  const open = new Set<number>()
  for (let time = from; time < to; time += STEP)
    if (businessTime(hours, new Date(time), new Date(time + STEP)) > 0) open.add(time)
  return open
}
