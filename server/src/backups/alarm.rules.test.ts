import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { assessBackups } from './alarm.rules.ts'

const now = new Date('2026-11-16T17:00:00Z')
const ago = (ms: number) => shift(now, -ms)
const judge = (newestAt: Date | null, since = ago(90 * DAY), isSetUp = true) =>
  assessBackups({ isSetUp, newestAt, since }, now)

describe('assessBackups', () => {
  it.each([
    ['fresh', ago(HOUR), false, 'The newest verified backup is recent.'],
    ['exactly 26 hours', ago(26 * HOUR), false, 'The newest verified backup is recent.'],
    ['a minute past 26 hours', ago(26 * HOUR + MINUTE), true, 'The newest verified backup is 26 hours old.'],
    ['three days', ago(3 * DAY + HOUR), true, 'The newest verified backup is 3 days old.'],
  ])('%s', (_, newestAt, isAlarm, text) => {
    expect(judge(newestAt)).toEqual({ isAlarm, newestAt, text })
  })
  it('allows a new installation one night without a backup', () => {
    expect(judge(null, ago(20 * HOUR))).toMatchObject({ isAlarm: false })
    expect(judge(null, ago(27 * HOUR))).toMatchObject({
      isAlarm: true,
      text: 'There is no verified backup, although data has existed for 27 hours.',
    })
  })
  it('raises the alarm without a key, even if the last backup is recent', () => {
    expect(judge(ago(HOUR), ago(DAY), false)).toMatchObject({
      isAlarm: true,
      text: 'Backups are not set up. Set BACKUP_KEY and restart the server.',
    })
  })
})
