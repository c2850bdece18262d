import { formatDuration } from '@limber/contract/kit/formats/numbers.ts'
import { describe, expect, it } from 'vitest'
import { outcomeText, startedBy } from './run-labels.ts'

describe('formatDuration', () => {
  it.each([
    [null, '--'],
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_999, '59.9 s'],
    [60_000, '1 min 0 s'],
    [125_400, '2 min 5 s'],
    [3_599_999, '59 min 59 s'],
    [3_780_000, '1 h 3 min'],
  ])('formats %s as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})

describe('outcomeText', () => {
  it.each([
    [{ error: 'It broke.', result: null }, 'It broke.'],
    [{ error: null, result: { sealed: 12, ran: true, left: null, deep: {} } }, 'sealed 12, ran true'],
    [{ error: null, result: { droppedDays: 2 } }, 'dropped days 2'],
    [{ error: null, result: { skipped: 'Another backup was in progress.' } }, 'Another backup was in progress.'],
    [{ error: null, result: null }, ''],
    [{ error: null, result: [1, 2] }, ''],
    [{ error: null, result: 'text' }, ''],
  ])('describes %o as "%s"', (run, text) => {
    expect(outcomeText(run)).toBe(text)
  })
})

describe('startedBy', () => {
  it('returns the worker or the schedule', () => {
    expect(startedBy({ trigger: 'schedule', by: null })).toBe('Schedule')
    expect(startedBy({ trigger: 'worker', by: 'Robin Vale' })).toBe('Robin Vale')
    expect(startedBy({ trigger: 'worker', by: null })).toBe('A worker')
  })
})
