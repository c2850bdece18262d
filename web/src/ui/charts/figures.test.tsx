import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import { dayText } from '../format/day-text.ts'
import { Moment } from '../format/moment.tsx'
import { momentText } from '../format/moment-text.ts'
import { Money } from '../format/money.tsx'
import { csvText } from '../table/csv.ts'
import { axisSteps } from './scale.ts'
import { StatStrip } from './stat-strip.tsx'

describe('money', () => {
  it('mutes the last two of four decimals', async () => {
    await renderScreen(<Money amount="12345.6789" decimals={4} />)
    const text = screen.getByText('$12,345.67')
    expect([text.textContent, text.querySelector('span')?.textContent]).toEqual(['$12,345.6789', '89'])
  })

  it.each([
    ['12.5', '$12.50'],
    [null, '--'],
  ])('renders %s as one text', async (amount, text) => {
    await renderScreen(<Money amount={amount} />)
    expect(screen.getByText(text)).toBeTruthy()
  })
})

describe('a moment', () => {
  const at = '2026-11-14T17:41:09Z'
  const present = new Date(at)

  it("uses the company's time zone, with or without a zone in the input", () => {
    expect(momentText(at, 'moment', present)).toBe('Nov 14, 9:41 AM')
    expect(momentText('2026-11-14T17:41:09', 'moment', present)).toBe('Nov 14, 9:41 AM')
    expect(momentText('2025-11-15T05:00:00Z', 'day', present)).toBe('Nov 14, 2025')
    expect(momentText('2026-11-14T17:35:00Z', 'relative', present)).toBe('6 min ago')
  })

  it('shows Invalid Date for bad input', async () => {
    for (const bad of ['yesterday', '2026-13-45T99:99:99Z', 'null']) expect(momentText(bad)).toBe('Invalid Date')
    for (const bad of ['2026-02-30', '2026-13-01', 'soon']) expect(dayText(bad)).toBe('Invalid Date')
    await renderScreen(<Moment at="nonsense" />)
    expect(screen.getByText('Invalid Date')).toBeTruthy()
  })

  it('shows the exact time on hover', async () => {
    const { user } = await renderScreen(<Moment at={at} />)
    await user.hover(screen.getByText(/^Nov 14/))
    expect(await screen.findByText('Nov 14, 2026, 9:41:09 AM PST (17:41:09 UTC)')).toBeTruthy()
  })

  it('ignores the time zone for a date', () => expect(dayText('2025-11-14')).toBe('Nov 14, 2025'))
})

describe('CSV', () => {
  it('quotes according to RFC 4180', () => {
    expect(csvText([['a', 'b "c"', 'd,e', 'f\ng', null, 3]])).toBe('a,"b ""c""","d,e","f\ng",,3\r\n')
  })

  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '\0x', '＝1', '＋1', '－1', '＠x'])('escapes %j', (cell) => {
    expect(
      csvText([[cell]])
        .replaceAll('"', '')
        .startsWith(`'${cell[0]}`),
    ).toBe(true)
  })

  it('does not change numbers and plain text', () => {
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
  ])('ends at a round number for %d', (greatest, steps) => expect(axisSteps(greatest)).toEqual(steps))
})

describe('a stat strip that filters', () => {
  it('has buttons; pressing the selected one again clears it', async () => {
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
