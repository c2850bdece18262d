import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import { CompanyDay } from '../format/company-day.tsx'
import { dayText } from '../format/day-text.ts'
import { Moment } from '../format/moment.tsx'
import { momentText, recentText, utcText } from '../format/moment-text.ts'
import { moneyText } from '../format/money.tsx'
import { csvText } from '../table/csv.ts'
import { axisSteps } from './scale.ts'
import { StatStrip } from './stat-strip.tsx'

describe('money', () => {
  it.each([
    ['12345.6789', { decimals: 4 }, '$12,345.6789'],
    ['12345.675', {}, '$12,345.68'],
    ['-0.005', {}, '−$0.01'],
    ['0.0049', {}, '$0.00'],
    ['99999999999999.9999', { decimals: 4 }, '$99,999,999,999,999.9999'],
    ['5', { isSigned: true }, '+$5.00'],
    ['0', { isSigned: true }, '$0.00'],
    [null, {}, '--'],
  ] as const)('%s is written exactly', (amount, options, text) => expect(moneyText(amount, options)).toBe(text))
})

describe('a moment', () => {
  const at = '2026-11-14T17:41:09Z'

  it('is local, with the exact instant in UTC', () => {
    const local = new Date(at)
    expect(momentText(at)).toBe(`14 Nov 2026, ${String(local.getHours()).padStart(2, '0')}:41`)
    expect(utcText(at)).toBe('2026-11-14 17:41:09 UTC')
    expect(utcText('2026-11-14T17:41:09')).toBe('2026-11-14 17:41:09 UTC')
  })

  it.each([
    ['2026-11-14T17:41:00Z', 'just now'],
    ['2026-11-14T17:35:00Z', '6 min ago'],
    ['2026-11-14T14:00:00Z', '3 h ago'],
  ])('%s is recent', (text, words) => expect(recentText(text, new Date(at))).toBe(words))

  it('is never relative for what is old or to come', () => {
    expect(recentText('2026-11-12T17:41:00Z', new Date(at))).toContain('12 Nov 2026')
    expect(recentText('2026-11-14T18:00:00Z', new Date(at))).toContain('14 Nov 2026')
  })

  it('says Invalid Date on bad input', async () => {
    for (const bad of ['yesterday', '2026-13-45T99:99:99Z', 'null']) expect(momentText(bad)).toBe('Invalid Date')
    for (const bad of ['2026-02-30', '2026-13-01', 'soon']) expect(dayText(bad)).toBe('Invalid Date')
    await renderScreen(
      <>
        <Moment at="nonsense" />
        <CompanyDay at="nonsense" />
      </>,
    )
    expect(screen.getAllByText('Invalid Date')).toHaveLength(2)
  })

  it('shows the instant on hover', async () => {
    const { user } = await renderScreen(<Moment at={at} />)
    await user.hover(screen.getByText(/14 Nov 2026/))
    expect(await screen.findByText('2026-11-14 17:41:09 UTC')).toBeTruthy()
  })

  it('of the calendar has no zone', () => expect(dayText('2026-11-14')).toBe('14 Nov 2026'))
})

describe('CSV', () => {
  it('quotes as RFC 4180 asks', () => {
    expect(csvText([['a', 'b "c"', 'd,e', 'f\ng', null, 3]])).toBe('a,"b ""c""","d,e","f\ng",,3\r\n')
  })

  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '\0x', '＝1', '＋1', '－1', '＠x'])('disarms %j', (cell) => {
    expect(
      csvText([[cell]])
        .replaceAll('"', '')
        .startsWith(`'${cell[0]}`),
    ).toBe(true)
  })

  it('leaves numbers and ordinary words alone', () => {
    expect(csvText([[-4.5, 'a=b', 'x-y', '']])).toBe('-4.5,a=b,x-y,\r\n')
  })
})

describe('an axis', () => {
  it.each([
    [1_740, [0, 500, 1000, 1500, 2000]],
    [97, [0, 25, 50, 75, 100]],
    [9, [0, 2, 4, 6, 8, 10]],
    [3, [0, 1, 2, 3]],
    [1, [0, 1]],
    [0, [0, 1]],
    [0.84, [0, 0.25, 0.5, 0.75, 1]],
  ])('up to %d ends at a round number', (greatest, steps) => expect(axisSteps(greatest)).toEqual(steps))
})

describe('a stat strip that filters', () => {
  it('is made of buttons; the chosen one, pressed again, clears', async () => {
    const onChoose = vi.fn()
    const stats = [
      { id: 'open', label: 'Open', value: '14' },
      { id: 'closed', label: 'Closed', value: '231' },
    ]
    const { user } = await renderScreen(<StatStrip label="Filter" stats={stats} chosen="open" onChoose={onChoose} />)
    expect(screen.getByRole('button', { pressed: true }).textContent).toBe('Open14')
    await user.click(screen.getByRole('button', { name: /Closed/ }))
    await user.click(screen.getByRole('button', { name: /Open/ }))
    expect(onChoose.mock.calls).toEqual([['closed'], [null]])
  })
})
