import { describe, expect, it } from 'vitest'
import { describeCron } from './cron.rules.ts'

describe('describeCron', () => {
  it.each([
    ['* * * * *', 'Every minute'],
    ['*/5 * * * *', 'Every 5 minutes'],
    ['*/30 * * * *', 'Every 30 minutes'],
    ['0 * * * *', 'Every hour at :00'],
    ['17 * * * *', 'Every hour at :17'],
    ['5 */6 * * *', 'Every 6 hours at :05'],
    ['0 3 * * *', 'Every day at 3:00 AM'],
    ['  20   3 * * *  ', 'Every day at 3:20 AM'],
    ['59 23 * * *', 'Every day at 11:59 PM'],
    ['0 6 * * 1', 'Every Monday at 6:00 AM'],
    ['0 6 * * 0', 'Every Sunday at 6:00 AM'],
    ['0 6 * * 7', 'Every Sunday at 6:00 AM'],
    ['30 9 * * fri', 'Every Friday at 9:30 AM'],
    ['30 9 * * 1-5', 'Every Monday to Friday at 9:30 AM'],
    ['30 9 * * MON,WED,FRI', 'Every Monday, Wednesday, and Friday at 9:30 AM'],
    ['0 6 1 * *', 'Every month on the 1st at 6:00 AM'],
    ['0 6 2 * *', 'Every month on the 2nd at 6:00 AM'],
    ['0 6 3 * *', 'Every month on the 3rd at 6:00 AM'],
    ['0 6 11 * *', 'Every month on the 11th at 6:00 AM'],
    ['0 6 22 * *', 'Every month on the 22nd at 6:00 AM'],
    ['0 6 31 * *', 'Every month on the 31st at 6:00 AM'],
  ])('describes %s as %s', (line, words) => {
    expect(describeCron(line)).toBe(words)
  })

  it.each([
    '*/7 * * * *',
    '*/0 * * * *',
    '*/60 * * * *',
    '1,31 * * * *',
    '0 */5 * * *',
    '0 8-17 * * *',
    '0 6 1 1 *',
    '0 6 1 * 1',
    '0 6 L * *',
    '0 6 * * 8',
    '0 6 * * 1,',
    '0 6 * * 1-3-5',
    '60 * * * *',
    '0 24 * * *',
    '0 6 0 * *',
    '0 0 6 * * *',
    '@daily',
    '',
  ])('returns "%s" unchanged', (line) => {
    expect(describeCron(line)).toBe(line)
  })
})
