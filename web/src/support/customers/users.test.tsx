import { listUsers } from '@limber/contract/support/customers/customer.ts'
import {
  listUserBookings,
  listUserRewards,
  listUserTickets,
  listUserTransactions,
  readUser,
  readUserAnalytics,
} from '@limber/contract/support/customers/user.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  FakeEventSource,
  type FakeServer,
  makeSession,
  Refusal,
  renderScreen,
  withoutCurrentYear,
} from '#platform/testing/testing.tsx'
import { findPeople } from './customer-palette.ts'
import UserDirectory from './user-directory.screen.tsx'
import UserOverview from './user-overview.screen.tsx'
import { makeUser, serveUsers } from './users.testing.ts'

// Preload the lazy modules so that the tests do not wait for them.
beforeAll(() =>
  Promise.all([
    import('./tabs/tickets-tab.tsx'),
    import('./tabs/rewards-tab.tsx'),
    import('./tabs/transactions-tab.tsx'),
    import('./tabs/bookings-tab.tsx'),
    import('./tabs/analytics-tab.tsx'),
    import('../timeline/timeline.tsx'),
  ]),
)

const camille = makeUser()
const omar = makeUser({
  personalInfo: { id: 9, name: 'Omar Reyes', email: 'omar@example.com', phone: null },
  accountStatus: { emailVerified: false, status: 'blocked', blockedReason: 'Chargebacks', blockedBy: 'Dana Whitfield' },
})

const open = (server: FakeServer, search = '', permissions?: Parameters<typeof makeSession>[0]) =>
  renderScreen(<UserOverview />, { server, path: `/support/users${search}`, session: makeSession(permissions) })
const tab = (name: RegExp | string) => screen.findByRole('tab', { name })
/** The value next to a label. */
const fact = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent

describe('the user list', () => {
  it('searches and filters cards, with both in the URL', async () => {
    const { user, router } = await open(serveUsers(camille, omar))
    expect(screen.getByRole('heading', { name: 'User Overview', level: 1 })).toBeTruthy()
    expect(screen.getByText('Select a user to view details')).toBeTruthy()
    const card = await screen.findByRole('link', { name: /Omar Reyes/ })
    expect(card.textContent).toMatch(/^Omar ReyesUnverifiedomar@example\.comBlockedGold · 2,340 pts/)
    await user.type(screen.getByPlaceholderText('Search users...'), '55501')
    await waitFor(() => expect(screen.queryByRole('link', { name: /Omar Reyes/ })).toBeNull())
    expect(screen.getByRole('link', { name: /Camille Okafor/ }).textContent).toContain('(951) 555-0123')
    expect(router.state.location.searchStr).toContain('q=55501')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Blocked')
    expect(await screen.findByText('No users found')).toBeTruthy()
    expect(router.state.location.searchStr).toContain('status=blocked')
    expect(
      within(screen.getByRole('combobox', { name: 'Status' }))
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['All Users', 'Active', 'Inactive', 'Blocked'])
  })

  it('marks merged and erased accounts, which the palette does not find', async () => {
    const merged = makeUser({
      personalInfo: { id: 10, name: 'Mia Twice' },
      accountStatus: { mergedInto: 8, status: 'blocked' },
    })
    const erased = makeUser({
      personalInfo: { id: 11, name: 'Erased Customer' },
      accountStatus: { isErased: true, status: 'blocked' },
    })
    const server = serveUsers(merged, erased)
    await open(server)
    expect((await screen.findByRole('link', { name: /Mia Twice/ })).textContent).toMatch(/Merged/)
    expect(screen.getByRole('link', { name: /Erased Customer/ }).textContent).toMatch(/Erased/)
    expect(await findPeople('Mia', new AbortController().signal, makeSession())).toEqual([])
  })

  it('pages by 20', async () => {
    const many = Array.from({ length: 21 }, (_, place) =>
      makeUser({ personalInfo: { id: 100 + place, name: `U ${place}` } }),
    )
    const { user, router } = await open(serveUsers(...many))
    expect(await screen.findByText('21 users')).toBeTruthy()
    expect(screen.queryByRole('link', { name: /U 20/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    expect(await screen.findByRole('link', { name: /U 20/ })).toBeTruthy()
    expect(router.state.location.searchStr).toContain('page=2')
  })

  it('shows a lower bound when there are more than it counts', async () => {
    const server = serveUsers(camille)
    server.answer(listUsers, ({ query }) => ({
      users: [
        {
          ...{ id: 8, name: 'Camille Okafor', email: 'camille@example.com', phone: null, verified: true },
          ...{ rank: 'Gold', points: 1, status: 'active' as const, ended: null, joinedAt: '2025-02-01T00:00:00Z' },
        },
      ],
      pagination: { page: query.page, limit: 20, totalItems: 10_000, totalPages: 500, pages: 500, isMore: true },
    }))
    await open(server)
    expect(await screen.findByText('More than 10,000 users')).toBeTruthy()
  })

  it('shows the error instead of rows, and recovers', async () => {
    const server = serveUsers(camille)
    const { user } = await open(server)
    await screen.findByRole('link', { name: /Camille Okafor/ })
    server.answer(listUsers, new Refusal(400, 'bad', 'No.'))
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"customers","customer":8}' }))
    expect(await screen.findByText('Failed to fetch users')).toBeTruthy()
    expect(screen.queryByRole('link', { name: /Camille Okafor/ })).toBeNull()
    server.answer(listUsers, ({ query }) => ({
      users: [],
      pagination: { page: query.page, limit: 20, totalItems: 0, totalPages: 1, pages: 1 },
    }))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No users yet')).toBeTruthy()
    expect(screen.getByText(/^Import customers from a file, or let your app send them/)).toBeTruthy()
  })

  it('is the same in the Managing Admin Dashboard', async () => {
    const { user } = await renderScreen(<UserDirectory />, {
      server: serveUsers(camille),
      path: '/worker/managing/users?user=8',
    })
    expect(await screen.findByRole('heading', { name: 'Camille Okafor', level: 1 })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'User directory' }))
    expect(await screen.findByRole('heading', { name: 'User directory', level: 1 })).toBeTruthy()
  })
})

describe('the customer overview', () => {
  it('updates its ticket counts live', async () => {
    const server = serveUsers(camille)
    await open(server, '?user=8')
    await tab('Overview')
    const before = server.callCount(readUser)
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"tickets","ticket":41}' }))
    await waitFor(() => expect(server.callCount(readUser)).toBe(before + 1))
  })

  it('shows all values with the labels of the specification', async () => {
    await open(serveUsers(camille), '?user=8')
    await tab('Overview')
    expect(fact('Email')).toContain('camille@example.com')
    expect(fact('Phone')).toContain('(951) 555-0123')
    expect(fact('Join date')).toBe('Feb 1, 2025')
    expect(fact('Email verified')).toBe('Yes')
    expect(fact('Waiver signed')).toBe('No')
    expect(fact('Total logins')).toBe('1,234')
    expect(fact('Customer type')).toBe('Individual')
    expect(fact('Value tier')).toBe('VIP')
    expect(fact('Lifecycle stage')).toBe('At risk')
    expect(fact('Engagement score')).toBe('71')
    expect(fact('Points')).toBe('2,340')
    expect(fact('Total points earned')).toBe('5,120')
    expect(fact('Rank')).toBe('Gold')
    expect(fact('Credits')).toBe('3')
    expect(fact('Bookings')).toBe(withoutCurrentYear('27 (Last: Nov 8, 2026)'))
    expect(fact('Referrals')).toBe('2 (1 successful)')
    expect(fact('Rewards')).toBe(withoutCurrentYear('4 (Last used: Oct 2, 2026)'))
    expect(fact('Tickets')).toBe('3 (2 active) • 1 high priority')
    expect(screen.getByText('+2: Sorry')).toBeTruthy()
  })

  it('links to the people and tickets it names', async () => {
    const { user } = await open(
      serveUsers(camille, makeUser({ personalInfo: { id: 5, name: 'Noor Haddad' } })),
      '?user=8',
    )
    await tab('Overview')
    const ticket = screen.getByRole('link', { name: 'Ticket: Charged twice' })
    expect(ticket.getAttribute('href')).toBe('/support/tickets?ticket=41')
    await user.click(screen.getByRole('link', { name: 'Noor Haddad' }))
    expect(await screen.findByRole('heading', { name: 'Noor Haddad', level: 1 })).toBeTruthy()
  })

  it('shows the empty state of the support history', async () => {
    await open(serveUsers(makeUser({ recentSupport: [] as never })), '?user=8')
    expect(await screen.findByText('No recent support history')).toBeTruthy()
  })

  it('says why an account is blocked, and offers only what can be done then', async () => {
    await open(serveUsers(omar), '?user=9')
    expect(await screen.findByText('Blocked by Dana Whitfield: Chargebacks')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Unblock' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Grant credits' })).toBeNull()
  })

  it('opens the credits with the amount that a link names, once', async () => {
    const { user, router } = await open(serveUsers(makeUser()), '?user=8&view=credits&amount=2')
    expect((await screen.findByLabelText<HTMLInputElement>('Credits')).value).toBe('2')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(router.state.location.searchStr).toBe('?user=8'))
  })

  it('leads from a duplicate to the account that has its records', async () => {
    const { router } = await open(serveUsers(omar, makeUser({ accountStatus: { mergedInto: 9 } })), '?user=8')
    expect(await screen.findByText('Account 8 was a duplicate of this one. Its records are here.')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Omar Reyes', level: 1 })).toBeTruthy()
    expect(router.state.location.searchStr).toContain('user=9')
  })

  it('shows what matters at a glance', async () => {
    const { user } = await open(serveUsers(camille), '?user=8')
    const strip = within(await screen.findByRole('region', { name: 'At a glance' }))
    expect(strip.getByText('At risk')).toBeTruthy()
    expect(strip.getByText('Riverside')).toBeTruthy()
    expect(strip.getByRole('link', { name: '1' }).getAttribute('href')).toBe('/support/tickets?ticket=41')
    await user.click(strip.getByRole('button', { name: 'Gold' }))
    expect(await screen.findByRole('tab', { name: 'Rewards', selected: true })).toBeTruthy()
  })

  it('goes to the customers before and after in the list', async () => {
    const { user } = await open(serveUsers(camille, omar), '?user=8')
    await screen.findByRole('heading', { name: 'Camille Okafor', level: 1 })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Previous customer/ }).disabled).toBe(true)
    const next = screen.getByRole<HTMLButtonElement>('button', { name: /^Next customer/ })
    await waitFor(() => expect(next.disabled).toBe(false))
    await user.keyboard(']')
    expect(await screen.findByRole('heading', { name: 'Omar Reyes', level: 1 })).toBeTruthy()
  })
})

describe("a customer's tickets", () => {
  it('are not requested without the permission', async () => {
    const server = serveUsers(makeUser({ activity: { tickets: null } as never }))
    await open(server, '?user=8&tab=tickets', ['support.tab', 'users.overview'])
    await tab('Overview')
    await waitFor(() => expect(server.callCount(readUserAnalytics)).toBe(1))
    expect(screen.queryByRole('tab', { name: /Tickets/ })).toBeNull()
    expect(server.callCount(listUserTickets)).toBe(0)
    expect(screen.queryByText('Tickets', { selector: 'dt' })).toBeNull()
  })

  it('have a tab with the recent count; subjects are links only with the permission for tickets', async () => {
    const { user, router } = await open(serveUsers(camille), '?user=8', ['users.overview', 'users.tickets'])
    await user.click(await tab('Tickets 1'))
    const recent = await screen.findByRole('article', { name: 'Charged twice' })
    expect(within(recent).getByText('Two payments.')).toBeTruthy()
    expect(within(recent).getByText('Open')).toBeTruthy()
    expect(within(recent).queryByRole('link')).toBeNull()
    expect(screen.getByRole('article', { name: 'Waiver' })).toBeTruthy()
    expect(router.state.location.searchStr).toContain('tab=tickets')
  })
})

describe('the other tabs', () => {
  it('show current rewards, redeemed ones and credits', async () => {
    await open(serveUsers(camille), '?user=8&tab=rewards')
    const current = await screen.findByRole('region', { name: 'Current Rewards' })
    expect(within(current).getByText('Ten sessions')).toBeTruthy()
    const history = screen.getByRole('region', { name: 'Reward History' })
    expect(within(history).getByText(/^Redeemed:/).textContent).toMatch(/^Redeemed: Nov 10(, 2026)?, \d+:\d\d [AP]M$/)
    expect(within(screen.getByRole('table', { name: 'Credit History' })).getByText('−1')).toBeTruthy()
  })

  it('show transactions in dollars, 50 at a time', async () => {
    const { user } = await open(serveUsers(camille), '?user=8&tab=transactions')
    const table = await screen.findByRole('table', { name: 'Transactions' })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((head) => head.textContent),
    ).toEqual(['Date', 'Type', 'Amount', 'Credits', 'Status'])
    expect(within(table).getAllByText('$445.50')).toHaveLength(50)
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(within(table).getAllByText('$445.50')).toHaveLength(52))
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('keep the loaded transactions when the next page fails, and retry', async () => {
    const server = serveUsers(camille)
    const { user } = await open(server, '?user=8&tab=transactions')
    const table = await screen.findByRole('table', { name: 'Transactions' })
    server.answer(listUserTransactions, new Refusal(400, 'bad', 'Not now.'))
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    const failure = within(await screen.findByRole('alert'))
    expect(failure.getByText('Failed to fetch user transactions')).toBeTruthy()
    expect(failure.getByText('Not now.')).toBeTruthy()
    expect(within(table).getAllByText('$445.50')).toHaveLength(50)
    server.answer(listUserTransactions, [])
    await user.click(failure.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(within(table).getAllByText('$445.50')).toHaveLength(50)
  })

  it('keep the loaded bookings when the next page fails', async () => {
    const booking = {
      date: '2026-07-01',
      startTime: '09:00',
      endTime: '10:00',
      status: 'completed',
      stretcher: null,
      stretcherId: null,
      zone: 'Perris',
    } as const
    const server = serveUsers(camille).answer(listUserBookings, ({ query }) =>
      query.page > 1
        ? new Refusal(400, 'bad', 'Not now.')
        : Array.from({ length: 50 }, (_, place) => ({ ...booking, id: place + 1 })),
    )
    const { user } = await open(server, '?user=8&tab=bookings')
    await user.click(await screen.findByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('Failed to fetch user bookings')).toBeTruthy()
    expect(screen.getAllByText(withoutCurrentYear('Jul 1, 2026, 9:00 AM – 10:00 AM'))).toHaveLength(50)
  })

  it('show bookings with stars and feedback as typed, and link to the stretcher', async () => {
    await open(serveUsers(camille), '?user=8&tab=bookings')
    expect(await screen.findByText(withoutCurrentYear('Jul 1, 2026, 9:00 AM – 10:00 AM'))).toBeTruthy()
    expect(screen.getByRole('img', { name: 'Rating: 4 of 5 stars' }).querySelectorAll('svg')).toHaveLength(5)
    expect(screen.getByText('<b>Great</b>')).toBeTruthy()
    expect(screen.getByText('No-show')).toBeTruthy()
    const stretcher = screen.getByRole('link', { name: 'Renata Solis' })
    expect(stretcher.getAttribute('href')).toBe('/worker/managing/stretchers?stretcher=17')
  })

  it('show three figures, twelve weeks and activity by day', async () => {
    await open(serveUsers(camille), '?user=8&tab=analytics')
    const figures = await screen.findByRole('region', { name: 'Product usage' })
    expect(figures.textContent).toBe('Engagement score71Total logins1,234Total actions2,066')
    expect(screen.getAllByRole('img', { name: /^Week of/ })).toHaveLength(12)
    expect(screen.getByRole('img', { name: withoutCurrentYear('Week of Aug 31, 2026: 1 action') })).toBeTruthy()
    const day = screen.getByRole('region', { name: withoutCurrentYear('Nov 10, 2026') })
    expect(within(day).getByText('Booking create')).toBeTruthy()
  })

  it.each([
    ['overview', readUser, 'Failed to fetch user details'],
    ['tickets', listUserTickets, 'Failed to fetch user tickets'],
    ['rewards', listUserRewards, 'Failed to fetch user rewards'],
    ['transactions', listUserTransactions, 'Failed to fetch user transactions'],
    ['bookings', listUserBookings, 'Failed to fetch user bookings'],
    ['analytics', readUserAnalytics, 'Failed to fetch user analytics'],
  ] as const)('show the error: %s', async (name, call, words) => {
    const server = serveUsers(camille).answer(call, new Refusal(400, 'bad', 'Not now.'))
    await open(server, `?user=8&tab=${name}`)
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.getByText('Not now.')).toBeTruthy()
  })
})

it('refreshes the detail when someone else changed the customer', async () => {
  const server = serveUsers(camille)
  await open(server, '?user=8')
  await tab('Overview')
  server.answer(readUser, makeUser({ engagement: { credits: 9 } }))
  act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"customers","customer":8}' }))
  await waitFor(() => expect(fact('Credits')).toBe('9'))
})
