import { companyDay } from '@limber/contract/kit/company.ts'
import { listTags } from '@limber/contract/support/queues/tag.ts'
import type { ReportRow } from '@limber/contract/support/report/figure.ts'
import { readSupportReport } from '@limber/contract/support/report/report.ts'
import { listTicketWorkers } from '@limber/contract/support/tickets/ticket.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { now } from '#platform/clock.ts'
import { FakeServer, renderScreen } from '#platform/testing/testing.tsx'
import SupportReport from './report.screen.tsx'
import { rangesOf } from './report-ranges.ts'
import { shareText, timeText } from './report-text.ts'

const row = (more: Partial<ReportRow> = {}): ReportRow => ({
  key: 'all',
  label: 'All tickets',
  from: '2026-11-01',
  to: '2026-11-17',
  opened: 40,
  replied: 35,
  closed: 30,
  kept: 27,
  missed: 3,
  good: 9,
  bad: 1,
  firstReply: { median: 18, p90: 190 },
  resolution: { median: 1_500, p90: 4_320 },
  ...more,
})
const backlog = [
  { age: 'today' as const, from: '2026-11-17', to: '2026-11-17', tickets: 4 },
  { age: 'older' as const, from: '' as const, to: '2026-10-18', tickets: 2 },
]
const serve = (asked = vi.fn()) =>
  new FakeServer()
    .answer(readSupportReport, ({ query }) => {
      asked(query)
      return { rows: [row({ key: '8', label: 'Dana Whitfield', opened: 12 })], total: row(), backlog }
    })
    .answer(listTicketWorkers, [{ id: 8, name: 'Dana Whitfield', open: 4, awayUntil: null }])
    .answer(listTags, [])
const path = '/support/report?from=2026-11-01&to=2026-11-17&by=agent&channel=email'

describe('the support report', () => {
  it('has numbers that open their tickets with the filter of the report', async () => {
    await renderScreen(<SupportReport />, { server: serve(), path })
    const strip = await screen.findByRole('region', { name: 'Figures of the range' })
    expect(within(strip).getByRole('link', { name: 'Median 18 min: open tickets' }).getAttribute('href')).toBe(
      '/support/tickets?figure=replied&from=2026-11-01&to=2026-11-17&channel=email',
    )
    const slow = within(strip).getByRole('link', { name: '90% within 3 h 10 min: open tickets' })
    expect(slow.getAttribute('href')).toContain('?figure=replied&')
    expect(within(strip).getByRole('link', { name: '90% within 3 days: open tickets' }).getAttribute('href')).toContain(
      '?figure=closed&',
    )
    expect(strip.textContent).toContain('90%')
    const table = screen.getByRole('table', { name: 'By assignee' })
    const opened = within(table).getByRole('link', { name: 'Dana Whitfield, opened: 12: open tickets' })
    expect(opened.getAttribute('href')).toBe(
      '/support/tickets?figure=opened&from=2026-11-01&to=2026-11-17&channel=email&assignee=8',
    )
    // Every number: two counts, four times, two shares, and what is missed and bad.
    const numbers = within(within(table).getByRole('row', { name: /^Dana/ })).getAllByRole('link')
    expect(numbers).toHaveLength(10)
    const ages = screen.getByRole('region', { name: 'Not closed now, by age' })
    expect(within(ages).getByRole('link', { name: '2 30 days and more: open tickets' }).getAttribute('href')).toBe(
      '/support/tickets?figure=backlog&to=2026-10-18&channel=email',
    )
  })

  it('asks for the range and the filter that were chosen', async () => {
    const asked = vi.fn()
    const { user } = await renderScreen(<SupportReport />, { server: serve(asked), path })
    await screen.findByRole('table')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'No kind')
    await user.click(screen.getByText('Week'))
    await vi.waitFor(() =>
      expect(asked).toHaveBeenLastCalledWith(
        expect.objectContaining({ from: '2026-11-01', to: '2026-11-17', by: 'week', kind: 'none', channel: 'email' }),
      ),
    )
  })

  it('has the usual ranges, and says when the days are others', async () => {
    const asked = vi.fn()
    const { user } = await renderScreen(<SupportReport />, { server: serve(asked), path })
    await screen.findByRole('table')
    const range = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Range' })
    const chosen = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Range' }).value
    for (const { label, from, to } of rangesOf(companyDay(now())).slice(0, 3)) {
      await user.selectOptions(range, label)
      await vi.waitFor(() => expect(asked).toHaveBeenLastCalledWith(expect.objectContaining({ from, to })))
      await vi.waitFor(() => expect(chosen()).toBe(label))
    }
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-02-03' } })
    await vi.waitFor(() => expect(chosen()).toBe(''))
  })

  it('has ranges that begin with the week, month or quarter before, across years', () => {
    const rangeOf = (today: string, label: string) => rangesOf(today).find((one) => one.label === label)
    expect(rangeOf('2027-01-02', 'Last month')).toMatchObject({ from: '2026-12-01', to: '2026-12-31' })
    expect(rangeOf('2027-02-28', 'Last quarter')).toMatchObject({ from: '2026-10-01', to: '2026-12-31' })
    expect(rangeOf('2028-03-01', 'Last month')).toMatchObject({ from: '2028-02-01', to: '2028-02-29' })
    expect(rangeOf('2026-12-31', 'This quarter')).toMatchObject({ from: '2026-10-01', to: '2026-12-31' })
    expect(rangeOf('2026-11-19', 'Last week')).toMatchObject({ from: '2026-11-09', to: '2026-11-15' })
  })

  it('says so when there is nothing', async () => {
    const nothing = row({ opened: 0, replied: 0, closed: 0, firstReply: null, resolution: null })
    const server = serve().answer(readSupportReport, { rows: [], total: nothing, backlog: [] })
    await renderScreen(<SupportReport />, { server, path })
    expect(await screen.findByText('No tickets in this range')).toBeTruthy()
  })
})

describe('the words of the report', () => {
  it('are short', () => {
    expect([0, 18, 60, 190, 700, 3_000].map(timeText)).toEqual([
      '0 min',
      '18 min',
      '1 h',
      '3 h 10 min',
      '11 h',
      '2.1 days',
    ])
    expect([shareText(27, 30), shareText(0, 0)]).toEqual(['90%', '--'])
  })
})
