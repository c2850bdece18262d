import { readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { listEvents } from '@limber/contract/analytics/events/event.ts'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeServer, makeSession, Refusal } from '#platform/testing/testing.tsx'
import { renderApp } from '../app/app.testing.tsx'

const slow = { timeout: 5_000 }
const silent = () => {
  const refusal = new Refusal(503, 'unavailable', 'The service is briefly unavailable.')
  return new FakeServer().answer(readDashboard, refusal).answer(listEvents, refusal)
}
const linksOf = async () => {
  const list = await screen.findByRole('navigation', { name: 'Worker sections' }, slow)
  return within(list)
    .getAllByRole('link', { hidden: true })
    .map((link) => link.textContent)
}

describe('the panel of the Tech admin dashboard', () => {
  it('is first for workers who can see analytics, and is the dashboard', async () => {
    const session = makeSession(['worker.tab', 'analytics.view', 'automation.manage'])
    renderApp({ session, server: silent(), path: '/worker/tech' })
    expect(await screen.findByRole('heading', { name: 'Analytics Dashboard' }, slow)).toBeTruthy()
    expect(location.pathname).toBe('/worker/tech/analytics')
    expect((await linksOf()).slice(-2)).toEqual(['Analytics', 'System Automation'])
    // The Worker tab stays active: the panel does not switch to the Analytics tab.
    expect(screen.getByRole('link', { name: 'Worker' }).getAttribute('aria-current')).toBe('page')
  })

  it('is hidden without permission', async () => {
    const session = makeSession(['worker.tab', 'automation.manage'])
    renderApp({ session, server: silent(), path: '/worker/tech/analytics' })
    expect(await screen.findByRole('heading', { name: 'You do not have access to this section' }, slow)).toBeTruthy()
    expect(await linksOf()).not.toContain('Analytics')
  })

  it('is distinct from the Analytics tab in the command palette', async () => {
    const session = makeSession(['worker.tab', 'analytics.view'])
    const { user } = renderApp({ session, server: silent(), path: '/worker/tech/analytics' })
    await user.click(await screen.findByRole('button', { name: /Search or jump to/ }, slow))
    await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'analytics')
    const found = within(screen.getByRole('listbox')).getAllByRole('option')
    expect(found.map((one) => one.textContent)).toEqual([
      'Analytics DashboardAnalytics',
      'AnalyticsTech admin dashboard',
    ])
  })
})
