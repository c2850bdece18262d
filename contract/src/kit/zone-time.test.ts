import { afterEach, describe, expect, it } from 'vitest'
import {
  dayIn,
  inputFromMoment,
  isTimeZone,
  momentsFromInput,
  readBareMoment,
  roundUpToFive,
  wallTime,
} from './zone-time.ts'

const LA = 'America/Los_Angeles'
const HOUR = 3_600_000
const machines = ['UTC', LA, 'Asia/Kathmandu', 'Pacific/Kiritimati']
const moments = (field: string, zone = LA) => momentsFromInput(field, zone)?.map((at) => at.toISOString())
afterEach(() => {
  process.env.TZ = 'UTC'
})

describe.each(machines)('on a machine in %s', (machine) => {
  it('T1 converts local times, including the hours around a clock change', () => {
    process.env.TZ = machine
    expect(moments('2026-11-18T09:00')).toEqual(['2026-11-18T17:00:00.000Z'])
    expect(moments('2026-07-18T09:00')).toEqual(['2026-07-18T16:00:00.000Z'])
    expect(moments('2026-11-01T01:30')).toEqual(['2026-11-01T08:30:00.000Z', '2026-11-01T09:30:00.000Z'])
    expect(moments('2027-03-14T02:30')).toEqual([])
    expect(moments('2027-03-14T01:59')).toEqual(['2027-03-14T09:59:00.000Z'])
    expect(moments('2027-03-14T03:00')).toEqual(['2027-03-14T10:00:00.000Z'])
  })
  it('T1 keeps the real length of a session across a clock change', () => {
    process.env.TZ = machine
    for (const [start, wall] of [
      ['2026-11-01T07:30:00Z', 1],
      ['2027-03-14T09:30:00Z', 3],
    ] as const) {
      const from = new Date(start)
      const to = new Date(from.getTime() + 2 * HOUR)
      expect(wallTime(to, LA) - wallTime(from, LA)).toBe(wall * HOUR)
    }
  })
  it('T2 converts every moment to an input value and back', () => {
    process.env.TZ = machine
    for (const zone of [LA, 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Europe/London', 'Australia/Lord_Howe', 'UTC'])
      for (let n = 0; n < 500; n++) {
        const at = new Date(Date.UTC(2026, 9, 25) + n * 17 * HOUR + (n % 12) * 5 * 60_000)
        expect(momentsFromInput(inputFromMoment(at, zone), zone)?.map(Number)).toContain(at.getTime())
      }
    expect(readBareMoment('2026-11-18T17:00:00.000').toISOString()).toBe('2026-11-18T17:00:00.000Z')
  })
  it('T4 rounds a start up to five minutes', () => {
    process.env.TZ = machine
    const round = (text: string) => roundUpToFive(new Date(text)).toISOString().slice(0, 19)
    expect(round('2026-11-18T10:05:00.000Z')).toBe('2026-11-18T10:05:00')
    expect(round('2026-11-18T10:05:00.001Z')).toBe('2026-11-18T10:10:00')
    expect(round('2026-11-18T10:05:01Z')).toBe('2026-11-18T10:10:00')
    expect(round('2026-12-31T23:58:00Z')).toBe('2027-01-01T00:00:00')
    // 01:58 before the clock change becomes 03:00.
    expect(inputFromMoment(roundUpToFive(new Date('2027-03-14T09:58:00Z')), LA)).toBe('2027-03-14T03:00')
  })
})

describe('time zones', () => {
  it('accepts known names only', () => {
    for (const name of [LA, 'UTC', 'America/Argentina/Buenos_Aires']) expect(isTimeZone(name)).toBe(true)
    for (const name of ['', '+05:00', 'Mars/Olympus', 'PST', 'America/Los_Angeles; drop'])
      expect(isTimeZone(name)).toBe(false)
  })
  it('have their own calendar days', () => {
    expect(dayIn(LA, new Date('2026-11-18T07:59:00Z'))).toBe('2026-11-17')
    expect(dayIn('Pacific/Kiritimati', new Date('2026-11-18T10:00:00Z'))).toBe('2026-11-19')
  })
  it.each(['', 'soon', '2026-13-01T00:00', '2026-02-30T10:00', '2026-11-18T24:00', '2026-11-18 09:00', '2026-11-18'])(
    'returns nothing for the input value %j',
    (field) => {
      expect(momentsFromInput(field, LA)).toBeUndefined()
    },
  )
})
