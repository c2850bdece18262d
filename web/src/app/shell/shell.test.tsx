import { listWorkers } from '@limber/contract/access/workers/worker.ts'
import { listSchedules } from '@limber/contract/automation/schedule.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { type HealthCheck, readHealth } from '@limber/contract/tech/health/health.ts'
import { countIntegrations } from '@limber/contract/tech/integrations/integration.ts'
import { IconBug } from '@tabler/icons-react'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { Path } from '#platform/routing/links.ts'
import type { Section } from '#platform/routing/sections.ts'
import { FakeEventSource } from '#platform/testing/testing.live.ts'
import { takeConsoleErrors } from '#platform/testing/testing.setup.ts'
import { FakeServer, makeSession, Refusal } from '#platform/testing/testing.tsx'
import { setLetterKeys } from '#ui/keyboard/is-page-key.ts'
import { PageHead } from '#ui/layout/page-head.tsx'
import { renderApp } from '../app.testing.tsx'
import { managing } from '../managing.ts'

const slow = { timeout: 5_000 }
let isBroken = false

const section = (more: Partial<Section> & Pick<Section, 'title' | 'path'>): Section => ({
  tab: 'worker',
  page: 'financial',
  icon: IconBug,
  permission: 'payroll.summary',
  order: 1,
  load: async () => ({
    default: () => {
      if (isBroken) throw new Error('broken')
      return (
        <>
          <PageHead title={more.title} />
          <input aria-label="Search entries" data-section-search />
        </>
      )
    },
  }),
  ...more,
})
const sections = [
  section({ title: 'My profile', path: '/dashboard/worker-profile', page: 'worker', permission: 'signed-in' }),
  ...(managing.sections ?? []),
  section({ title: 'Payroll summary', path: '/worker/financial/summary' }),
  section({ title: 'Settings', path: '/worker/financial/settings', permission: 'payroll.settings', order: 2 }),
  section({
    title: 'Support Tickets',
    path: '/support/tickets',
    tab: 'support',
    page: 'support',
    permission: 'tickets.handle',
  }),
  section({
    title: 'One ticket',
    path: '/support/tickets/$id' as string as Path,
    tab: 'support',
    page: 'support',
    permission: 'tickets.handle',
    isUnlisted: true,
  }),
]

const main = () => screen.findByRole('navigation', { name: 'Main' }, slow)
const tabNames = async () =>
  within(await main())
    .getAllByRole('link')
    .map((link) => link.textContent)

describe('the connection', () => {
  it('shows a warning when it is lost for longer than a restart, until it is back', async () => {
    renderApp({ session: makeSession(), sections, path: '/worker/financial/summary' })
    await screen.findByRole('heading', { name: 'Payroll summary' }, slow)
    const warning = /Connection lost/
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (let loss = 0; loss < 3; loss += 1) {
      expect(screen.queryByText(warning)).toBeNull()
      act(() => FakeEventSource.last.onerror?.())
      vi.advanceTimersByTime(10_000)
    }
    vi.useRealTimers()
    expect(screen.getByText(warning)).toBeTruthy()
    act(() => FakeEventSource.last.onopen?.())
    expect(screen.queryByText(warning)).toBeNull()
  })
})

describe('the tabs', () => {
  it('depend on permissions, with the first one selected', async () => {
    renderApp({ session: makeSession(['worker.tab', 'support.tab', 'tickets.handle']), sections })
    expect(await tabNames()).toEqual(['Worker', 'Support'])
    expect(await screen.findByRole('heading', { name: 'Managing Admin Dashboard' }, slow)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Worker' }).getAttribute('aria-current')).toBe('page')
    expect(location.pathname).toBe('/worker/managing/today')
    expect(document.title).toBe('Managing Admin Dashboard · Limber')
  })

  it('show all four with every permission', async () => {
    renderApp({ session: makeSession(), sections })
    expect(await tabNames()).toEqual(['Analytics', 'Worker', 'Support', 'Growth'])
  })

  it('are hidden without permissions, but My profile stays', async () => {
    renderApp({ session: makeSession([]), sections })
    expect(await screen.findByRole('heading', { name: 'My profile' }, slow)).toBeTruthy()
    expect(within(await main()).queryAllByRole('link')).toEqual([])
  })

  it('have no section list when they have one screen', async () => {
    renderApp({ session: makeSession(['support.tab', 'tickets.handle']), sections })
    expect(await screen.findByRole('heading', { name: 'Support Tickets' }, slow)).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Support sections' })).toBeNull()
  })
})

describe('the section list', () => {
  it('shows the sections the worker can open and highlights the current one', async () => {
    renderApp({ session: makeSession(['worker.tab', 'payroll.summary']), sections, path: '/worker/financial/summary' })
    const list = await screen.findByRole('navigation', { name: 'Worker sections' }, slow)
    const names = within(list)
      .getAllByRole('link', { hidden: true })
      .map((link) => link.textContent)
    expect(names).toEqual(['My profile', 'Today', 'Payroll summary', 'Tech admin dashboard'])
    expect(within(list).getByRole('link', { current: 'page' }).textContent).toBe('Payroll summary')
  })

  it('keeps the list entry active on the page of one record', async () => {
    const all = [
      ...sections,
      section({
        title: 'Email Logs',
        path: '/support/email-logs',
        tab: 'support',
        page: 'support',
        permission: 'support.tab',
      }),
    ]
    renderApp({ session: makeSession(), sections: all, path: '/support/tickets/7' })
    const list = await screen.findByRole('navigation', { name: 'Support sections' }, slow)
    expect(await screen.findByRole('heading', { name: 'One ticket' }, slow)).toBeTruthy()
    expect(within(list).getByRole('link', { current: 'page' }).textContent).toBe('Support Tickets')
  })

  it('redirects a page path to its first open section', async () => {
    renderApp({ session: makeSession(['worker.tab', 'payroll.settings']), sections, path: '/worker/financial' })
    expect(await screen.findByRole('heading', { name: 'Settings' }, slow)).toBeTruthy()
    expect(location.pathname).toBe('/worker/financial/settings')
  })

  it('says when a page has no sections at all', async () => {
    renderApp({ session: makeSession(), sections, path: '/worker/tech' })
    expect(await screen.findByText('Tech admin dashboard has no sections yet', undefined, slow)).toBeTruthy()
    expect(screen.queryByText(/have access/)).toBeNull()
  })

  it('says when the worker has no access to any section of a page', async () => {
    renderApp({ session: makeSession(['worker.tab']), sections, path: '/worker/financial' })
    expect(
      await screen.findByText('You do not have access to any section of Financial Overview', undefined, slow),
    ).toBeTruthy()
  })
})

describe('a path', () => {
  it('shows Page not found inside the shell when it does not exist', async () => {
    renderApp({ session: makeSession(), sections, path: '/no/such/place' })
    expect(await screen.findByRole('heading', { name: 'Page not found' }, slow)).toBeTruthy()
    expect(await main()).toBeTruthy()
  })

  it('names the missing permission', async () => {
    renderApp({ session: makeSession(['worker.tab']), sections, path: '/worker/financial/settings' })
    expect(await screen.findByRole('heading', { name: 'You do not have access to this section' }, slow)).toBeTruthy()
    expect(screen.getByText('Required permission: Change payroll settings.')).toBeTruthy()
  })

  it('names the missing permission of its tab', async () => {
    renderApp({ session: makeSession(['payroll.settings']), sections, path: '/worker/financial/settings' })
    expect(await screen.findByRole('heading', { name: 'You do not have access to this section' }, slow)).toBeTruthy()
    expect(screen.queryByText('Required permission: Change payroll settings.')).toBeNull()
    expect(screen.getByText(/^Required permission: /).textContent).toMatch(/Worker tab/)
  })
})

describe('a broken section', () => {
  it('keeps the shell working and can be retried', async () => {
    isBroken = true
    const { user } = renderApp({ session: makeSession(), sections, path: '/worker/financial/summary' })
    expect(await screen.findByRole('alert', undefined, slow)).toBeTruthy()
    expect(await main()).toBeTruthy()
    takeConsoleErrors()
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Payroll summary' }, slow)).toBeTruthy()
  })
})

describe('the keyboard', () => {
  it('finds accessible sections in the palette with Ctrl-K, in list order', async () => {
    const session = makeSession(['worker.tab', 'payroll.summary'])
    const { user } = renderApp({ session, sections: sections.toReversed() })
    await screen.findByRole('heading', { name: 'Managing Admin Dashboard' }, slow)
    await user.keyboard('{Control>}k{/Control}')
    const field = await screen.findByRole('combobox', { name: 'Search or jump to' })
    expect(screen.getAllByRole('option').map((one) => one.textContent)).toEqual([
      'My profileWorker',
      'TodayManaging Admin Dashboard',
      'Payroll summaryFinancial Overview',
    ])
    await user.type(field, 'sett')
    expect(screen.getByText('No results for “sett”')).toBeTruthy()
    await user.clear(field)
    await user.type(field, 'fin summ{Enter}')
    expect(await screen.findByRole('heading', { name: 'Payroll summary' }, slow)).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search or jump to' })).toBeNull())
  })

  it('searches records from the second letter on', async () => {
    const asked: unknown[] = []
    const server = new FakeServer().answer(listWorkers, ({ query }) => {
      asked.push(query.search)
      return { workers: [], pagination: paginate(1, 5, 0) }
    })
    const { user } = renderApp({ session: makeSession(['access.manage']), sections, server })
    await user.click(await screen.findByRole('button', { name: /Search or jump to/ }, slow))
    const field = await screen.findByRole('combobox', { name: 'Search or jump to' })
    await user.type(field, ' o')
    await new Promise((done) => setTimeout(done, 400))
    await user.type(field, 'm ')
    await waitFor(() => expect(asked).toEqual(['om']))
  })

  it('buffers what is typed before the palette loads, without side effects', async () => {
    const { user } = renderApp({ session: makeSession(['worker.tab', 'payroll.summary']), sections })
    await screen.findByRole('heading', { name: 'Managing Admin Dashboard' }, slow)
    await user.keyboard('{Control>}k{/Control}')
    await user.keyboard('gw summ')
    const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search or jump to' })
    await waitFor(() => expect(field.value).toBe('gw summ'))
    await user.type(field, 'ary')
    expect(field.value).toBe('gw summary')
  })

  it('moves through the palette with arrow keys and closes it with Escape', async () => {
    const { user } = renderApp({ session: makeSession(['worker.tab']), sections })
    await user.click(await screen.findByRole('button', { name: /Search or jump to/ }, slow))
    const field = await screen.findByRole('combobox', { name: 'Search or jump to' })
    const chosen = () => screen.getByRole('option', { selected: true }).textContent
    expect(chosen()).toContain('My profile')
    await user.type(field, '{ArrowDown}')
    expect(chosen()).toContain('Today')
    await user.type(field, '{ArrowDown}')
    expect(chosen()).toContain('My profile')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search or jump to' })).toBeNull())
  })

  it('focuses the section search with /, shows help with ?, and ignores typing', async () => {
    const { user } = renderApp({ session: makeSession(), sections, path: '/worker/financial/summary' })
    const search = await screen.findByRole('textbox', { name: 'Search entries' }, slow)
    await user.keyboard('/')
    expect(document.activeElement).toBe(search)
    await user.keyboard('?')
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
    search.blur()
    await user.keyboard('?')
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(help.getByText('Search this section')).toBeTruthy()
    // This screen has neither a list nor a ticket.
    for (const label of ['Next and previous row', 'Reply to the open ticket'])
      expect(help.queryByText(label)).toBeNull()
  })

  it('ignores every key of one letter when my profile turned them off', async () => {
    setLetterKeys(false)
    const { user } = renderApp({ session: makeSession(), sections, path: '/worker/financial/summary' })
    const search = await screen.findByRole('textbox', { name: 'Search entries' }, slow)
    await user.keyboard('/?gs')
    expect(document.activeElement).not.toBe(search)
    await user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByRole('combobox', { name: 'Search or jump to' })).toBeTruthy()
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
    expect(screen.getByRole('heading', { name: 'Payroll summary', hidden: true })).toBeTruthy()
  })

  it('goes to a tab with g and its letter', async () => {
    const { user } = renderApp({ session: makeSession(), sections, path: '/worker/financial/summary' })
    await screen.findByRole('heading', { name: 'Payroll summary' }, slow)
    await user.keyboard('gs')
    expect(await screen.findByRole('heading', { name: 'Support Tickets' }, slow)).toBeTruthy()
  })
})

const AT = '2026-11-14T09:00:00.000Z'

describe('Today', () => {
  it('says when nothing needs attention', async () => {
    renderApp({ session: makeSession(['worker.tab']), sections, path: '/worker/managing' })
    expect(await screen.findByText('Nothing needs your attention right now.', undefined, slow)).toBeTruthy()
  })

  it('shows items when one area fails, and each item only once', async () => {
    const facts = { latency: null, facts: [], since: AT, checkedAt: AT, lastError: null, history: [] }
    const troubled = (name: string, title: string) => ({ name, title, status: 'warning', summary: 'Late.', ...facts })
    const server = new FakeServer()
      .answer(readHealth, {
        checks: [troubled('deliveries', 'Deliveries'), troubled('queue', 'Background jobs')] as HealthCheck[],
        checkedAt: AT,
        isStale: false,
      })
      .answer(countIntegrations, {
        ...{ waiting: 0, retrying: 0, dead: 2, sent: 0, received: 0, troubled: 0 },
        ...{ kinds: [], deadByKind: [] },
      })
      .answer(listSchedules, new Refusal(503, 'unavailable', 'The service is briefly unavailable.'))
    const holds = ['worker.tab', 'health.view', 'integrations.events', 'automation.manage'] as const
    renderApp({ session: makeSession(holds), sections, path: '/worker/managing', server })
    const dead = await screen.findByRole('link', { name: /^2 deliveries failed/ }, slow)
    expect(dead.getAttribute('href')).toBe('/worker/tech/integrations?status=dead')
    expect(screen.getByRole('link', { name: /^Background jobs: warning/ })).toBeTruthy()
    expect(screen.queryByText('Deliveries: warning')).toBeNull()
    expect(screen.getByText("Couldn't load failed schedules. Try again.")).toBeTruthy()
  })
})
