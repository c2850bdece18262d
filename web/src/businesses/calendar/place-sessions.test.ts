import { describe, expect, it } from 'vitest'
import { makeSession } from './calendar.testing.ts'
import { layOutDay } from './lay-out.ts'
import { clockNames, hoursOf, nowLines, placeOf } from './place-sessions.ts'
import { timesOf } from './session-labels.ts'
import { daysOf, stepFrom, weekOf, weekText } from './week.ts'

const LA = 'America/Los_Angeles'
const at = (day: string, starts_at: string, ends_at: string, time_zone = LA) =>
  makeSession({ day, starts_at, ends_at, zone: { id: 3, name: 'Riverside', time_zone } })
const minutes = (hour: number, minute = 0) => hour * 60 + minute

describe('the position of a session on its day', () => {
  it.each([
    [
      'in Los Angeles time',
      at('2036-11-18', '2036-11-18T17:00:00.000', '2036-11-18T21:00:00.000'),
      minutes(9),
      minutes(13),
    ],
    [
      'in Kathmandu time',
      at('2036-11-18', '2036-11-18T03:15:00.000', '2036-11-18T05:15:00.000', 'Asia/Kathmandu'),
      minutes(9),
      minutes(11),
    ],
    [
      'up to midnight when it ends after midnight',
      at('2036-11-18', '2036-11-19T06:30:00.000', '2036-11-19T10:30:00.000'),
      minutes(22, 30),
      minutes(24),
    ],
    [
      'tall enough to click right before midnight',
      at('2036-11-18', '2036-11-19T07:50:00.000', '2036-11-19T09:50:00.000'),
      minutes(23, 15),
      minutes(24),
    ],
    [
      'over the hour that is skipped in spring',
      at('2027-03-14', '2027-03-14T09:00:00.000', '2027-03-14T11:00:00.000'),
      minutes(1),
      minutes(4),
    ],
    [
      'over the hour that repeats in fall',
      at('2027-11-07', '2027-11-07T07:30:00.000', '2027-11-07T09:30:00.000'),
      minutes(0, 30),
      minutes(1, 30),
    ],
    [
      'when the clocks go back by half an hour during it',
      at('2027-04-04', '2027-04-03T14:30:00.000', '2027-04-03T16:30:00.000', 'Australia/Lord_Howe'),
      minutes(1, 30),
      minutes(3),
    ],
  ])('is %s', (_, session, from, to) => {
    expect(placeOf(session)).toMatchObject({ from, to })
  })

  it('never shares a lane within a zone on days of a daylight saving change, even when a time occurs twice', () => {
    for (const [day, midnight] of [
      ['2027-11-07', '2027-11-07T07:00:00Z'],
      ['2027-03-14', '2027-03-14T08:00:00Z'],
    ] as const) {
      const sessions = Array.from({ length: 20 }, (_, nth) => {
        const start = new Date(Date.parse(midnight) + nth * 30 * 60_000)
        const bare = (moment: Date) => moment.toISOString().slice(0, -1)
        return { ...at(day, bare(start), bare(new Date(start.getTime() + 7_200_000))), id: nth + 1 }
      })
      const laid = layOutDay(sessions.map(placeOf))
      expect(laid.length).toBe(20)
      for (const one of laid)
        for (const other of laid)
          if (one.session.id < other.session.id && one.lane === other.lane)
            expect(one.to <= other.from || other.to <= one.from).toBe(true)
    }
  })
})

describe('visible hours', () => {
  it('are 6 AM to 10 PM, and more only where a session is outside', () => {
    expect(hoursOf([])).toEqual({ first: 6, last: 22 })
    expect(hoursOf([{ from: minutes(5, 45), to: minutes(8) }])).toEqual({ first: 5, last: 22 })
    expect(hoursOf([{ from: minutes(20), to: minutes(22, 30) }])).toEqual({ first: 6, last: 23 })
  })
})

describe('the current time', () => {
  const now = new Date('2036-11-19T05:30:00Z')
  it('is one line for time zones that agree', () => {
    expect(nowLines([LA, 'America/Tijuana'], now)).toEqual([
      { day: '2036-11-18', minute: minutes(21, 30), name: 'PST' },
    ])
  })
  it('is on its own day in each time zone', () => {
    expect(nowLines([LA, 'America/New_York'], now)).toEqual([
      { day: '2036-11-18', minute: minutes(21, 30), name: 'PST' },
      { day: '2036-11-19', minute: minutes(0, 30), name: 'EST' },
    ])
  })
})

describe('time labels', () => {
  it('name the time zone where others are visible or daylight saving time changes', () => {
    expect(timesOf(makeSession(), false)).toBe('9:00 AM – 1:00 PM')
    expect(timesOf(makeSession(), true)).toBe('9:00 AM – 1:00 PM PST')
    const autumn = at('2027-11-07', '2027-11-07T07:30:00.000', '2027-11-07T09:30:00.000')
    expect(timesOf(autumn, false)).toBe('12:30 AM PDT – 1:30 AM PST')
    expect(
      clockNames([
        at('2027-11-06', '2027-11-06T17:00:00.000', '2027-11-06T19:00:00.000'),
        at('2027-11-07', '2027-11-07T18:00:00.000', '2027-11-07T20:00:00.000'),
      ]),
    ).toBe('PDT, PST')
  })
})

describe('weeks', () => {
  it.each([
    ['2036-11-18', 'Nov 17 – 23, 2036'],
    ['2026-12-02', 'Nov 30 – Dec 6, 2026'],
    ['2027-01-01', 'Dec 28, 2026 – Jan 3, 2027'],
  ])('of %s are written %s', (day, text) => expect(weekText(weekOf(day))).toBe(text))

  it('start on Monday and have seven days, across every daylight saving change', () => {
    for (const day of ['2027-03-14', '2027-11-07']) expect(daysOf(weekOf(day)).at(-1)).toBe(day)
  })

  it('end with the calendar', () => {
    expect(weekOf('9999-12-31')).toBe('2099-12-28')
    expect(stepFrom('2099-12-28', 1)).toBeUndefined()
    expect(stepFrom(weekOf('0001-01-01'), -1)).toBeUndefined()
    expect(stepFrom('2026-11-16', 1)).toBe('2026-11-23')
  })
})
