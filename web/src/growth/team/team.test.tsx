import { undoChange } from '@limber/contract/access/history/history.ts'
import { inviteWorker, type WorkerDetail } from '@limber/contract/access/workers/worker.ts'
import { changeTask, createTask, listTaskAssignees, listTasks } from '@limber/contract/growth/tasks/task.ts'
import {
  assignCampaign,
  listTeamCampaigns,
  readLeaderboard,
  readTeam,
  readTeamSummary,
} from '@limber/contract/growth/team/team.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { assignLead, type Lead, listLeads } from '@limber/contract/marketing/leads/lead.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeServer, makeSession, renderScreen } from '#platform/testing/testing.tsx'
import { makeTask } from '../growth.testing.ts'
import Team from './team.screen.tsx'

const path = '/growth/team'
const campaign = { id: 5, name: 'Desert spring', status: 'active' as const, members: [] }

const invited: WorkerDetail = {
  ...{ id: 40, name: 'Maya Ortiz', email: 'maya.ortiz@example.com', role: 'Growth', status: 'invited', version: 1 },
  ...{ permissions: [], lastSeenAt: null, openSessions: 0, link: 'open', createdAt: '2026-11-14T17:00:00.000Z' },
  ...{ passkeys: [], sessions: [], devices: [], recoveryCodesLeft: 0, hasTwoFactor: false, isLastOwner: false },
  linkExpiresAt: null,
}

const serveTeam = () =>
  new FakeServer()
    .answer(readTeam, {
      team: [
        {
          id: 7,
          name: 'Iris Bell',
          role: 'Growth',
          isPending: false,
          online: true,
          lastActive: '2026-11-16T16:58:00.000Z',
          city: 'Hemet',
          campaigns: [{ id: 5, name: 'Desert spring' }],
          leadsContacted: 12,
          leadsConverted: 4,
        },
      ],
    })
    .answer(readLeaderboard, {
      leaderboard: [
        { id: 7, name: 'Iris Bell', leadsContacted: 12, leadsConverted: 4, topChannel: 'facebook_lead_ad' },
      ],
    })
    .answer(readTeamSummary, {
      conversionRate: 33.33,
      avgResponseTime: 120,
      campaigns: 3,
      recentWin: 'Lena Ortiz, by Iris Bell',
      recentWinAt: '2026-11-15T16:58:00.000Z',
      recentWinLead: 3,
    })
    .answer(listTasks, {
      tasks: [makeTask({ id: 3, title: 'Open city: Hemet', assignedTo: null, assigneeId: null, version: 2 })],
      pagination: paginate(1, 10, 1),
    })
    .answer(listTaskAssignees, { workers: [{ id: 7, name: 'Iris Bell' }] })
    .answer(listTeamCampaigns, { campaigns: [campaign] })
    .answer(assignCampaign, campaign)
    .answer(changeTask, () => makeTask({ id: 3, assignedTo: 'Iris Bell', assigneeId: 7 }))
    .answer(createTask, () => makeTask())
    .answer(inviteWorker, { worker: invited })
    .answer(assignLead, () => ({}) as never)
    .answer(listLeads, () => ({
      leads: [],
      stats: { new: 0, contacted: 0, converted: 0, not_interested: 0 },
      pagination: paginate(1, 100, 0),
    }))

const lead: Lead = {
  id: 41,
  first_name: 'Robin',
  last_name: 'Vega',
  email: 'robin@example.com',
  phone: null,
  source: 'website',
  campaign_id: null,
  campaign: null,
  status: 'new',
  createdAt: '2026-11-16T16:00:00.000Z',
  statusSince: '2026-11-16T16:00:00.000Z',
  firstResponseAt: null,
  convertedAt: null,
  lostReason: null,
  assignee: null,
  customer: null,
  version: 1,
  notes: [],
}

const bodyOf = (server: FakeServer, call: object) => server.requests.find((one) => one.call === call)?.body

beforeEach(() => localStorage.clear())

describe('Team', () => {
  it('shows the roster, leaderboard, tasks and summary', async () => {
    await renderScreen(<Team />, { server: serveTeam(), path })
    const roster = await screen.findByRole('table', { name: 'Marketing/Growth Team Roster' })
    expect(within(roster).getByRole('row', { name: /Iris Bell Growth Online Hemet Desert spring 12 4/ })).toBeTruthy()
    const board = await screen.findByRole('table', { name: 'Attribution & Leaderboard' })
    expect(within(board).getByRole('row', { name: /1 Iris Bell 12 4 Facebook lead ad/ })).toBeTruthy()
    expect(await screen.findByText('Team conversion rate')).toBeTruthy()
    expect(document.body.textContent).toContain('33.3%')
    expect(document.body.textContent).toContain('120minutes')
    const placeOf = (name: string) => screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))
    expect(placeOf('Lena Ortiz, by Iris Bell')).toEqual(['/growth/conversion?lead=3'])
    expect(placeOf('Iris Bell')).toEqual(['/worker/tech/access?worker=7', '/worker/tech/access?worker=7'])
    expect(placeOf('Desert spring')).toEqual(['/growth/campaigns?campaign=5'])
  })

  it('finishes a task with its checkbox, with undo', async () => {
    const server = serveTeam().answer(changeTask, ({ body }) =>
      makeTask({ id: 3, status: body.status ?? 'open', version: 3 }),
    )
    server.answer(undoChange, { undone: 1 })
    const { user } = await renderScreen(<Team />, { server, path })
    await user.click(await screen.findByRole('checkbox', { name: 'Finish Open city: Hemet' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.callCount(undoChange)).toBe(1))
    expect(server.requests.filter(({ call }) => call === changeTask).map(({ body }) => body)).toEqual([
      { status: 'done', version: 2 },
    ])
  })

  it('marks an overdue task', async () => {
    const tasks = [makeTask({ due: '2020-01-31' })]
    const server = serveTeam().answer(listTasks, { tasks, pagination: paginate(1, 10, 1) })
    await renderScreen(<Team />, { server, path })
    const words = await screen.findByText(/^Overdue, was due/)
    expect(words.getAttribute('data-meaning')).toBe('red')
  })

  it('shows empty states', async () => {
    const server = serveTeam()
      .answer(readTeam, { team: [] })
      .answer(readLeaderboard, { leaderboard: [] })
      .answer(listTasks, { tasks: [], pagination: paginate(1, 10, 0) })
    await renderScreen(<Team />, { server, path })
    for (const words of ['No team members available', 'No leaderboard data available', 'No tasks available'])
      expect(await screen.findByText(words)).toBeTruthy()
  })

  it('assigns a task in its row', async () => {
    const { server, user } = await renderScreen(<Team />, { server: serveTeam(), path })
    const choice = await screen.findByRole('combobox', { name: 'Assign Open city: Hemet' })
    expect((choice as HTMLSelectElement).selectedOptions[0]?.textContent).toBe('Assign...')
    await within(choice).findByRole('option', { name: 'Iris Bell' })
    await user.selectOptions(choice, 'Iris Bell')
    await waitFor(() => expect(bodyOf(server, changeTask)).toEqual({ assignedTo: 7, version: 2 }))
  })

  it('edits and reassigns a task', async () => {
    const workers = [
      { id: 7, name: 'Iris Bell' },
      { id: 8, name: 'Jon Ames' },
    ]
    const task = makeTask({ id: 3, title: 'Open city: Hemet', assignedTo: 'Iris Bell', assigneeId: 7, version: 2 })
    const server = serveTeam()
      .answer(listTaskAssignees, { workers })
      .answer(listTasks, { tasks: [task], pagination: paginate(1, 10, 1) })
    const { user } = await renderScreen(<Team />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Edit Open city: Hemet' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Open city: Hemet' }))
    await user.clear(dialog.getByLabelText('Task Title'))
    await user.type(dialog.getByLabelText('Task Title'), 'Open Hemet')
    await user.clear(dialog.getByLabelText('Due Date'))
    await user.selectOptions(dialog.getByLabelText('Priority'), 'High')
    await user.selectOptions(dialog.getByLabelText('Assigned to'), await dialog.findByText('Jon Ames'))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(bodyOf(server, changeTask)).toEqual({
        title: 'Open Hemet',
        description: '',
        dueDate: null,
        priority: 'high',
        assignedTo: 8,
        version: 2,
      }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('unassigns a campaign and undoes it', async () => {
    const members = [{ id: 7, name: 'Iris Bell' }]
    const server = serveTeam().answer(listTeamCampaigns, { campaigns: [{ ...campaign, status: 'paused', members }] })
    server.answer(undoChange, { undone: 1 })
    const { user } = await renderScreen(<Team />, { server, path })
    const given = () => server.requests.filter((one) => one.call === assignCampaign).map(({ body }) => body)
    const take = { name: 'Unassign Desert spring from Iris Bell' }
    await user.click(await screen.findByRole('button', take))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.callCount(undoChange)).toBe(1))
    expect(given()).toEqual([{ workerId: 7, isAssigned: false }])
    // A paused campaign is in no row of the roster.
    await user.click(screen.getByRole('button', { name: 'Assign Campaign' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Assign Campaign' }))
    await user.selectOptions(
      dialog.getByLabelText('Campaign'),
      await dialog.findByRole('option', { name: 'Desert spring (Iris Bell)' }),
    )
    await user.click(dialog.getByRole('button', take))
    await waitFor(() => expect(given()).toHaveLength(2))
  })

  it('searches unassigned open leads on the server', async () => {
    const asked: unknown[] = []
    const server = serveTeam().answer(listLeads, ({ query }) => {
      asked.push(query)
      const leads = 'robin vega'.includes(query.search) ? [lead] : []
      const stats = { new: 0, contacted: 0, converted: 0, not_interested: 0 }
      return { leads, stats, pagination: paginate(1, 20, leads.length) }
    })
    const { user } = await renderScreen(<Team />, { server, path })
    await user.click(screen.getByRole('button', { name: 'Assign Lead' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Assign Lead' }))
    await user.type(dialog.getByRole('combobox', { name: 'Lead' }), 'vega')
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({ search: 'vega', status: 'open', assigned_to: 'none', limit: 20 }),
    )
    await user.click(await screen.findByRole('option', { name: 'Robin Vega, robin@example.com' }))
    await user.selectOptions(dialog.getByLabelText('Team member'), 'Iris Bell')
    await user.click(dialog.getByRole('button', { name: 'Assign' }))
    await waitFor(() => expect(bodyOf(server, assignLead)).toEqual({ workerId: 7 }))
  })

  it('assigns a campaign and a free-text task', async () => {
    const { server, user } = await renderScreen(<Team />, { server: serveTeam(), path })
    await user.click(screen.getByRole('button', { name: 'Assign Campaign' }))
    let dialog = await screen.findByRole('dialog', { name: 'Assign Campaign' })
    await user.selectOptions(
      within(dialog).getByLabelText('Campaign'),
      await within(dialog).findByRole('option', { name: 'Desert spring' }),
    )
    await user.selectOptions(within(dialog).getByLabelText('Team member'), 'Iris Bell')
    await user.click(within(dialog).getByRole('button', { name: 'Assign' }))
    await waitFor(() => expect(bodyOf(server, assignCampaign)).toEqual({ workerId: 7, isAssigned: true }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Assign Task' }))
    dialog = await screen.findByRole('dialog', { name: 'Assign Marketing/Growth Task' })
    await user.type(within(dialog).getByLabelText('Task details'), 'Call the gyms{enter}All three of them.')
    await user.selectOptions(within(dialog).getByLabelText('Team member'), 'Iris Bell')
    await user.click(within(dialog).getByRole('button', { name: 'Assign' }))
    await waitFor(() =>
      expect(bodyOf(server, createTask)).toMatchObject({
        title: 'Call the gyms',
        description: 'Call the gyms\nAll three of them.',
        assignedTo: 7,
      }),
    )
  })

  it('does not promise an email without a mail server', async () => {
    const session = makeSession(undefined, { hasMailServer: false })
    const { user } = await renderScreen(<Team />, { server: serveTeam(), path, session })
    await user.click(screen.getByRole('button', { name: 'Invite' }))
    const dialog = await screen.findByRole('dialog', { name: 'Invite Member' })
    await user.type(within(dialog).getByLabelText('Email'), 'maya.ortiz@example.com')
    await user.click(within(dialog).getByRole('button', { name: 'Invite' }))
    expect(await screen.findByText('Worker invited. Copy the link under Access & audit.')).toBeTruthy()
  })

  it('invites by email with permission only', async () => {
    const { server, user, unmount } = await renderScreen(<Team />, { server: serveTeam(), path })
    await user.click(screen.getByRole('button', { name: 'Invite' }))
    const dialog = await screen.findByRole('dialog', { name: 'Invite Member' })
    const field = within(dialog).getByLabelText<HTMLInputElement>('Email')
    expect(field.type).toBe('email')
    await user.type(field, 'maya.ortiz@example.com')
    await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }))
    await waitFor(() =>
      expect(bodyOf(server, inviteWorker)).toEqual({
        email: 'maya.ortiz@example.com',
        name: 'Maya Ortiz',
        role: 'Growth',
      }),
    )
    expect(await screen.findByText('Invitation sent.')).toBeTruthy()
    unmount()
    await renderScreen(<Team />, { server: serveTeam(), path, session: makeSession(['growth.tab']) })
    await screen.findByText('Team Chat')
    expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
  })

  it('has a chat that stays on the device, starts with two messages and ignores blank ones', async () => {
    const { user } = await renderScreen(<Team />, { server: serveTeam(), path })
    expect(screen.getByText('Only on this device')).toBeTruthy()
    const messages = screen.getByRole('list', { name: 'Messages' })
    expect(within(messages).getAllByRole('listitem')).toHaveLength(2)
    await user.type(screen.getByLabelText('Message'), '   {enter}')
    expect(within(messages).getAllByRole('listitem')).toHaveLength(2)
    await user.type(screen.getByLabelText('Message'), ' Ring Norco {enter}')
    expect(within(messages).getAllByRole('listitem').at(-1)?.textContent).toBe('Ring Norco')
  })
})
