import { listFigureRows } from '@limber/contract/growth/overview/figure.ts'
import { type HealthTrends, readHealthOverview, readHealthTrends } from '@limber/contract/growth/overview/health.ts'
import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeServer, makeSession, Refusal, renderScreen, withoutCurrentYear } from '#platform/testing/testing.tsx'
import { makeOverview, makeRows, makeTrends, span } from '../growth.testing.ts'
import { findRenewals } from '../today.ts'
import { ratioText } from './figure-labels.ts'
import Overview from './overview.screen.tsx'

const path = '/growth/overview'
const fail = new Refusal(500, 'defect', 'Something went wrong.')
const full = () =>
  new FakeServer()
    .answer(readHealthOverview, ({ query }) => ({ ...makeOverview(), span: { ...span, range: query.range } }))
    .answer(readHealthTrends, makeTrends())

describe('growth overview', () => {
  it('shows the user rings, growth and churn, bookings and businesses', async () => {
    await renderScreen(<Overview />, { server: full(), path })
    expect(await screen.findByRole('button', { name: 'Total users 3,000' })).toBeTruthy()
    for (const name of [
      /83% 2,500 with address/,
      /77% 2,300 within service area/,
      /7% 200 outside service area/,
      /67% 2,000 with waiver/,
      /User growth up 3.1%/,
      /Churned users 120/,
      /Churn rate 11.5%/,
      /Current bookings 1,500/,
      /Booking growth down 6.3%/,
      /Canceled bookings 130/,
      /Total 17/,
      /Upcoming renewals 1/,
      /No contact for over 30 days 1/,
    ])
      expect(screen.getByRole('button', { name })).toBeTruthy()
  })

  it('warns of renewals and missing contact in the ticker', async () => {
    await renderScreen(<Overview />, { server: full(), path })
    const ticker = await screen.findByRole('region', { name: 'Warnings' })
    const said = within(ticker)
      .getAllByRole('listitem')
      .map((one) => one.textContent)
    expect(said.slice(0, 3)).toEqual([
      withoutCurrentYear('Box Springs Solar pilot ended on Nov 10, 2026'),
      withoutCurrentYear('Citrus Belt Brewing renewal overdue since Nov 12, 2026'),
      withoutCurrentYear('Mission Inn renews on Nov 20, 2026'),
    ])
    expect((await findRenewals(new AbortController().signal)).map(({ title }) => title)).toEqual(said.slice(0, 3))
    expect(ticker.textContent).toContain(withoutCurrentYear('Desert Valley Health no contact since Oct 1, 2026'))
    expect(within(ticker).getByRole('link', { name: 'Mission Inn' }).getAttribute('href')).toContain(
      '/growth/business?partner=3',
    )
  })

  it('shows the number of users when the pointer is on a ring', async () => {
    const { user } = await renderScreen(<Overview />, { server: full(), path })
    await user.hover(await screen.findByRole('button', { name: /with waiver/ }))
    expect(await screen.findByText('2,000 of 3,000 users')).toBeTruthy()
  })

  it('reloads figures and trends for another range, and keeps the range in the URL', async () => {
    const { user, server, router } = await renderScreen(<Overview />, { server: full(), path })
    await user.click(await screen.findByRole('radio', { name: '90 Days' }))
    expect(router.state.location.href).toBe(`${path}?range=90d`)
    await screen.findByText(/Last refresh/)
    expect(server.callCount(readHealthOverview)).toBe(2)
    expect(server.callCount(readHealthTrends)).toBe(2)
  })

  it('shows that the dashboard failed to load, and reloads it', async () => {
    const server = new FakeServer().answer(readHealthOverview, fail).answer(readHealthTrends, makeTrends())
    const { user } = await renderScreen(<Overview />, { server, path })
    expect(await screen.findByText('Failed to load dashboard data.')).toBeTruthy()
    server.answer(readHealthOverview, makeOverview())
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('button', { name: 'Total users 3,000' })).toBeTruthy()
  })

  it('lets the user select another range when one fails to load', async () => {
    const server = full().answer(readHealthOverview, ({ query }) => (query.range === '7d' ? makeOverview() : fail))
    const { user } = await renderScreen(<Overview />, { server, path })
    expect(await screen.findByText('Failed to load dashboard data.')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: '7 Days' }))
    expect(await screen.findByRole('button', { name: 'Total users 3,000' })).toBeTruthy()
    expect(screen.queryByText('Failed to load dashboard data.')).toBeNull()
    await user.click(screen.getByRole('radio', { name: '90 Days' }))
    expect(await screen.findByText('Failed to load dashboard data.')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '90 Days' }).checked).toBe(true)
    expect(screen.queryByRole('button', { name: /Total users/ })).toBeNull()
  })

  it('shows the first users on their first day, and no message while trends load', async () => {
    const trends = Promise.withResolvers<HealthTrends>()
    const server = full().answer(readHealthTrends, () => trends.promise)
    await renderScreen(<Overview />, { server, path })
    await screen.findByRole('button', { name: 'Total users 3,000' })
    expect(screen.queryByText('No user growth trend data')).toBeNull()
    const first = [0, 0, 7].map((count, place) => ({ date: `2026-11-1${place + 4}`, count }))
    trends.resolve({ ...makeTrends(), userGrowth: first })
    expect(await screen.findByText('New users, 0 to 7 per day')).toBeTruthy()
  })

  it('hides trends that failed to load', async () => {
    const server = full().answer(readHealthTrends, fail)
    await renderScreen(<Overview />, { server, path })
    expect(await screen.findByText('No user growth trend data')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('has an empty state for each part', async () => {
    const { span: at, ...empty } = makeOverview()
    const nothing = Object.fromEntries(Object.keys(empty.users).map((name) => [name, 0]))
    const server = new FakeServer()
      .answer(readHealthOverview, {
        users: { ...empty.users, ...nothing, growthPct: null, churnRatePct: null },
        bookings: { current: 0, previous: 0, growthPct: null, cancelled: 0 },
        businesses: { total: 0, upcomingRenewals: 0, noRecentContact: 0 },
        warnings: [],
        span: at,
      })
      .answer(readHealthTrends, { userGrowth: [], churn: [], bookings: [], businesses: [], span: at })
    const { container } = await renderScreen(<Overview />, { server, path })
    for (const text of [
      'No user growth trend data',
      'No growth or churn data available',
      'No churn trend data',
      'No booking data available',
      'No booking trend data',
      'No business trend data',
    ])
      expect(await screen.findByText(text)).toBeTruthy()
    expect(container.textContent).not.toMatch(/NaN|Infinity|undefined/)
  })
})

describe('a number', () => {
  const rows = makeRows()

  it('opens its formula, range, last refresh and people, with an export of all', async () => {
    const server = full().answer(listFigureRows, rows)
    const { user, router } = await renderScreen(<Overview />, { server, path })
    await user.click(await screen.findByRole('button', { name: /Churned users 120/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Churned Users' })
    expect(router.state.location.href).toBe(`${path}?figure=churnedUsers`)
    expect(dialog.textContent).toContain('active in the previous range')
    expect(dialog.textContent).toContain('30 days, Oct 18 – Nov 16, 2026')
    expect(await within(dialog).findByText('Jordan Reyes')).toBeTruthy()
    expect(within(dialog).getByText('120 rows')).toBeTruthy()
    expect(dialog.textContent).toContain('Churned Users12030 days')
    expect(dialog.textContent).toContain('Calculated from these 120 rows.')
    const file = within(dialog).getByRole('link', { name: 'Export CSV' })
    expect(file.getAttribute('href')).toBe('/api/marketing/figures/churnedUsers/export?range=30d')
    const customer = within(dialog).getByRole('link', { name: 'Jordan Reyes' })
    expect(customer.getAttribute('href')).toBe('/support/users?user=9')
  })

  it('compares with the range before, searches its rows, and copies its link', async () => {
    const asked: object[] = []
    const server = full().answer(listFigureRows, ({ query: { period, search } }) => {
      asked.push({ period, search })
      if (period === 'previous') return { ...rows, value: 100, rows: [] }
      const [one] = rows.rows
      return search === '' || !one ? rows : { ...rows, rows: [one], pagination: { ...rows.pagination, totalItems: 1 } }
    })
    const { user } = await renderScreen(<Overview />, { server, path: `${path}?figure=churnedUsers` })
    const dialog = within(await screen.findByRole('dialog', { name: 'Churned Users' }))
    expect(await dialog.findByText(/Up from 100 in the period before/)).toBeTruthy()
    expect(dialog.getByText('20.0%')).toBeTruthy()
    await user.keyboard('/')
    expect(document.activeElement).toBe(dialog.getByLabelText('Search rows'))
    await user.type(dialog.getByLabelText('Search rows'), 'jordan')
    expect(await dialog.findByText('1 row found')).toBeTruthy()
    expect(asked).toContainEqual({ period: 'this', search: 'jordan' })
    // The figure stays that of all rows.
    expect(dialog.getByText('Calculated from these 120 rows.')).toBeTruthy()
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await user.click(dialog.getByRole('button', { name: 'Copy link' }))
    expect(write).toHaveBeenCalledWith(window.location.href)
  })

  it('keeps the page of its rows in the URL, and resets it with the number', async () => {
    const pages: number[] = []
    const server = full().answer(listFigureRows, ({ query }) => {
      pages.push(query.page)
      return { ...rows, pagination: { ...rows.pagination, page: query.page } }
    })
    const { user, router } = await renderScreen(<Overview />, { server, path: `${path}?figure=churnedUsers&page=2` })
    const dialog = await screen.findByRole('dialog', { name: 'Churned Users' })
    await within(dialog).findByText('Jordan Reyes')
    expect(pages).toContain(2)
    await user.click(within(dialog).getByRole('button', { name: 'Next page' }))
    expect(router.state.location.href).toBe(`${path}?figure=churnedUsers&page=3`)
    await user.keyboard('{Escape}')
    expect(router.state.location.href).toBe(path)
  })

  it('opens its parts and their values when it is a ratio', async () => {
    const server = full().answer(listFigureRows, ({ params }) =>
      makeRows({ value: params.figure === 'newUsers' ? 90 : 2910 }),
    )
    const { user, router } = await renderScreen(<Overview />, { server, path: `${path}?figure=growthPct` })
    const dialog = await screen.findByRole('dialog', { name: 'User growth' })
    expect(await within(dialog).findByRole('button', { name: /^Users before 2,910/ })).toBeTruthy()
    expect(dialog.textContent).toMatch(/New users 90.*÷Users before 2,910.*=User growth 3\.1%/)
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Close' }))
    await user.click(await within(dialog).findByRole('button', { name: /^New users 90/ }))
    expect(router.state.location.href).toBe(`${path}?figure=newUsers`)
    const part = await screen.findByRole('dialog', { name: 'New users' })
    expect(within(part).getByRole('button', { name: 'User growth' })).toBeTruthy()
    await user.keyboard('{Backspace}')
    expect(await screen.findByRole('dialog', { name: 'User growth' })).toBeTruthy()
  })

  it.each([
    ['growthPct', [0, 0], '--'],
    ['churnRatePct', [107, 656], '16.3%'],
    ['bookingGrowthPct', [1500, 1600], '-6.3%'],
    ['perSession', [100, 1, 1, 1], '$33.33'],
    ['perSession', [0, 0, 0, 0], '--'],
    ['perStretcher', [39, 0], '--'],
    ['avgRating', [null], '--'],
    ['avgRating', [4.8612], '4.86'],
    ['avgRating', [undefined], undefined],
    ['users', [], undefined],
  ] as const)('%s of %j is %s', (name, parts, text) => {
    expect(ratioText(name, parts)).toBe(text)
  })

  it('hides people from workers without permission', async () => {
    const server = full()
    const session = makeSession(['growth.tab'])
    await renderScreen(<Overview />, { server, session, path: `${path}?figure=users` })
    const dialog = await screen.findByRole('dialog', { name: 'Users' })
    expect(dialog.textContent).toContain('Accounts, except those that were merged or erased.')
    expect(server.callCount(listFigureRows)).toBe(0)
    expect(within(dialog).queryByRole('link', { name: 'Export CSV' })).toBeNull()
  })
})
