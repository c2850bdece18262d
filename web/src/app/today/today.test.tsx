import { type AuditRow, listAudit } from '@limber/contract/access/audit/audit.ts'
import type { PermissionName } from '@limber/contract/access/permissions.ts'
import { listWebhooks } from '@limber/contract/access/webhooks/webhook.ts'
import { listRecoveries, type RecoveryRequest } from '@limber/contract/access/workers/worker.ts'
import { listSchedules, runSchedule } from '@limber/contract/automation/schedule.ts'
import { listBackups } from '@limber/contract/backups/backup.ts'
import { listSoonSessions } from '@limber/contract/businesses/sessions/onsite.ts'
import { readHealthOverview } from '@limber/contract/growth/overview/health.ts'
import { listTasks } from '@limber/contract/growth/tasks/task.ts'
import { listImports } from '@limber/contract/imports/import.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { listLeads } from '@limber/contract/marketing/leads/lead.ts'
import { checkDiscrepancies } from '@limber/contract/payroll/audit/audit.ts'
import { listWatched } from '@limber/contract/support/related/related.ts'
import { listTickets } from '@limber/contract/support/tickets/ticket.ts'
import { listMyTasks } from '@limber/contract/support/tickets/ticket-task.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeRun, makeSchedule } from '#automation/schedule.testing.ts'
import { makeList } from '#backups/backup.testing.ts'
import { makeOverview, makeTask } from '#growth/growth.testing.ts'
import { makeCheck } from '#payroll/payroll.testing.ts'
import { FakeServer, makeSession } from '#platform/testing/testing.tsx'
import { makeTicket } from '#support/tickets/ticket.testing.ts'
import { renderApp } from '../app.testing.tsx'
import { managing } from '../managing.ts'

const slow = { timeout: 5_000 }

const change: AuditRow = {
  id: 55,
  at: '2026-11-14T17:00:00.000Z',
  actor: null,
  worker: { id: 9, name: 'Robin Vale' },
  call: 'PATCH /api/businesses/:id',
  action: 'business_changed',
  outcome: 'done',
  subject: 'business',
  subjectId: '12',
  subjectName: null,
  before: null,
  after: null,
  reason: null,
  areValuesHidden: false,
  address: null,
  requestId: null,
}

const soon = {
  id: 4,
  business_id: 12,
  business_name: 'Mission Inn',
  block_id: 31,
  stretcher_name: 'Ana Reyes',
  location: 'Lobby',
  is_today: true,
  time: '9:00 AM – 11:00 AM',
}

const failed = makeRun({ state: 'failed', error: 'The bank is closed' })
const alarm = { isAlarm: true, newestAt: null, text: 'The newest verified backup is 31 hours old.' }

const recovery: RecoveryRequest = {
  id: 3,
  worker: { id: 9, name: 'Robin Vale', email: 'robin@example.com' },
  state: 'open',
  isOwn: false,
  address: null,
  createdAt: '2026-11-14T17:00:00.000Z',
  expiresAt: '2026-11-17T17:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
}
const asking = (...recoveries: RecoveryRequest[]) => ({ recoveries, pagination: paginate(1, 5, recoveries.length) })

/** A company with one Today item for every permission. */
const busy = () =>
  new FakeServer()
    .answer(listMyTasks, [])
    .answer(listWatched, [])
    .answer(listTickets, ({ query }) =>
      query.status === 'open' ? [makeTicket({ subject: 'Where is my stretcher?' })] : [],
    )
    .answer(listTasks, { tasks: [makeTask({ title: 'Open city: Hemet' })], pagination: paginate(1, 5, 1) })
    .answer(listImports, { imports: [], pagination: paginate(1, 10, 0) })
    .answer(listLeads, {
      leads: [],
      stats: { new: 0, contacted: 0, converted: 0, not_interested: 0 },
      pagination: paginate(1, 1, 0),
    })
    .answer(readHealthOverview, makeOverview())
    .answer(listSoonSessions, {
      sessions: [soon, { ...soon, id: 5, is_today: false, business_name: 'Cajon Rail Works' }],
    })
    .answer(listSchedules, [makeSchedule({ lastRun: failed })])
    .answer(checkDiscrepancies, makeCheck())
    .answer(listBackups, makeList([], { alarm }))
    .answer(listAudit, { entries: [change], next: null })
    .answer(listWebhooks, { endpoints: [] })
    .answer(listRecoveries, asking(recovery, { ...recovery, id: 4, isOwn: true }))

interface Line {
  what: string
  permission: PermissionName
  call: CallDefinition
  link: RegExp
  href: string
}

const lines: Line[] = [
  {
    what: 'my open tickets',
    permission: 'tickets.handle',
    call: listTickets,
    link: /^Where is my stretcher\?/,
    href: '/support/tickets?assignee=me&ticket=',
  },
  {
    what: 'my tasks',
    permission: 'growth.tab',
    call: listTasks,
    link: /^Open city: Hemet/,
    href: '/growth/heatmap?place=',
  },
  {
    what: 'renewals',
    permission: 'growth.tab',
    call: readHealthOverview,
    link: /^Mission Inn renews on Nov 20(, 2026)?/,
    href: '/growth/business?partner=3',
  },
  {
    what: 'failed schedules',
    permission: 'automation.manage',
    call: listSchedules,
    link: /^Failed: /,
    href: '/worker/tech/automation?schedule=',
  },
  {
    what: 'significant discrepancies',
    permission: 'payroll.audit',
    call: checkDiscrepancies,
    link: /^1 significant tax discrepancy/,
    href: '/worker/managing/tax-audit?severity=significant',
  },
  {
    what: 'old backups',
    permission: 'backups.initiate',
    call: listBackups,
    link: /^Backups need attention$/,
    href: '/worker/tech/backups',
  },
  {
    what: 'recovery requests',
    permission: 'access.manage',
    call: listRecoveries,
    link: /^Robin Vale asked to recover access/,
    href: '/worker/tech/access/recoveries',
  },
  {
    what: 'recent changes',
    permission: 'access.manage',
    call: listAudit,
    link: /^Robin Vale changed business 12/,
    href: '/worker/tech/access/audit?others=true&entry=55',
  },
]

const open = (permissions: readonly PermissionName[], server = busy()) =>
  renderApp({
    session: makeSession(['worker.tab', ...permissions]),
    sections: managing.sections ?? [],
    path: '/worker/managing/today',
    server,
  })

describe('Today', () => {
  it.each(lines)('shows $what with the permission $permission', async ({ permission, link, href }) => {
    open([permission])
    const found = await screen.findByRole('link', { name: link }, slow)
    expect(found.getAttribute('href')).toContain(href)
  })

  it('shows on-site sessions of today and tomorrow with the permission businesses.manage', async () => {
    const { server } = open(['businesses.manage'])
    const list = within(await screen.findByRole('list', { name: 'On-site sessions' }, slow))
    const [today, tomorrow] = list.getAllByRole('link')
    expect(today?.textContent).toBe('Mission InnAna Reyes, Lobby')
    expect(list.getByText('9:00 AM – 11:00 AM')).toBeTruthy()
    expect(today?.getAttribute('href')).toBe('/worker/managing/businesses?business=12&block=31')
    expect(tomorrow?.textContent).toContain('Cajon Rail Works')
    expect(list.getByText('Tomorrow, 9:00 AM – 11:00 AM')).toBeTruthy()
    const all = screen.getByRole('link', { name: 'Week' })
    expect(all.getAttribute('href')).toBe('/worker/managing/businesses/sessions')
    expect(server.callCount(listSoonSessions)).toBe(1)
  })

  it('marks an overdue task as urgent', async () => {
    const tasks = [makeTask({ title: 'Open city: Hemet', due: '2020-01-31' })]
    open(['growth.tab'], busy().answer(listTasks, { tasks, pagination: paginate(1, 5, 1) }))
    const list = within(await screen.findByRole('list', { name: 'Today' }, slow))
    const when = list.getByText(/^Overdue, was due/)
    expect(when.hasAttribute('data-urgent')).toBe(true)
  })

  it('sends no request to areas without permission, and says that nothing needs attention', async () => {
    const { server } = open([])
    expect(await screen.findByText('Nothing needs your attention right now.', undefined, slow)).toBeTruthy()
    for (const { call, what } of lines) expect([what, server.callCount(call)]).toEqual([what, 0])
    expect(server.callCount(listSoonSessions)).toBe(0)
  })

  it('does not count changes by others as needing attention', async () => {
    open(['access.manage'], busy().answer(listRecoveries, asking({ ...recovery, isOwn: true })))
    expect(await screen.findByRole('list', { name: 'Recent changes' }, slow)).toBeTruthy()
    expect(screen.getByText('Nothing needs your attention right now.')).toBeTruthy()
  })

  it('lists what is broken first, then who is waiting, then deadlines, each with its next step', async () => {
    const schedule = makeSchedule({ lastRun: failed })
    const server = busy().answer(runSchedule, schedule)
    const { user } = open(['access.manage', 'automation.manage', 'growth.tab', 'tickets.handle'], server)
    const list = within(await screen.findByRole('list', { name: 'Today' }, slow))
    const titles = list.getAllByRole('listitem').map((item) => within(item).getAllByRole('link')[0]?.textContent)
    expect(titles.slice(0, 2)).toEqual([`Failed: ${schedule.title}`, 'Robin Vale asked to recover access'])
    const [first, ...others] = list.getAllByRole('button')
    expect(first?.dataset.variant).toBe('filled')
    expect(others.every((button) => button.dataset.variant === 'default')).toBe(true)

    server.answer(listSchedules, [makeSchedule()])
    await user.keyboard('j{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Run now' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: /^Failed: / })).toBeNull())
    expect(server.callCount(runSchedule)).toBe(1)
  })
})
