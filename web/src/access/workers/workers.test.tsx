// @module-tag slow
import { changeLimits, readLimits } from '@limber/contract/access/limits/limits.ts'
import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'
import {
  changePermissions,
  correctWorker,
  disableWorker,
  endWorkerSessions,
  inviteWorker,
  listRecoveries,
  listWorkers,
  readWorker,
  resendLink,
  showLink,
  type WorkerDetail,
} from '@limber/contract/access/workers/worker.ts'
import { listTasks } from '@limber/contract/growth/tasks/task.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { countTickets } from '@limber/contract/support/tickets/ticket.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeWorker } from '../access.testing.ts'
import { findWorkers } from '../palette-search.ts'
import { permissionGroups } from './permission-groups.ts'
import Workers from './workers.screen.tsx'

const PATH = '/worker/tech/access'
const noTickets = {
  stats: { open: 0, in_progress: 0, closed: 0 },
  desk: { waiting: 0, oldestWaiting: null, highOpen: 0, mineInProgress: 0, closedLately: 0 },
  matching: 0,
  isMore: false,
}
const noRecoveries = { recoveries: [], pagination: paginate(1, 1, 0) }

function serve(...workers: WorkerDetail[]) {
  return new FakeServer()
    .answer(listRecoveries, noRecoveries)
    .answer(countTickets, noTickets)
    .answer(listTasks, { tasks: [], pagination: paginate(1, 1, 0) })
    .answer(listWorkers, ({ query }) => {
      const found = workers.filter(
        ({ name, status }) => name.includes(query.search ?? '') && (!query.status || query.status === status),
      )
      return { workers: found, pagination: paginate(1, 20, found.length) }
    })
    .answer(readWorker, ({ params }) => {
      const worker = workers.find(({ id }) => id === params.id)
      return worker ? { worker } : new Refusal(404, 'not_found', 'This worker does not exist.')
    })
}
const dana = makeWorker()
const omar = makeWorker({ id: 13, name: 'Omar Haddad', email: 'omar@example.com', status: 'invited', link: 'open' })

const open = (server: FakeServer, search = '', session = makeSession()) =>
  renderScreen(<Workers />, { server, path: `${PATH}${search}`, session })
const detail = (name: string) => screen.findByRole('heading', { name: new RegExp(name), level: 2 })
/** Sets the value at once, because each typed letter renders thirty checkboxes again. */
const fill = (field: HTMLElement, text: string) => act(() => void fireEvent.change(field, { target: { value: text } }))
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

it('the palette finds workers and shows who is not active', async () => {
  serve(dana, omar).install()
  const [found] = await findWorkers('Omar', new AbortController().signal)
  expect(found).toMatchObject({ title: 'Omar Haddad', detail: 'Finance · Invited' })
  const visited: string[] = []
  found?.run((path) => visited.push(path))
  expect(visited).toEqual([`${PATH}?worker=13`])
})

describe('the list of workers', () => {
  it('searches and filters, and keeps both in the URL', async () => {
    const { user, router } = await open(serve(dana, omar))
    const list = within(screen.getByRole('region', { name: 'Workers' }))
    expect(await list.findByText('Omar Haddad')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Search workers' }), 'Dana')
    await waitFor(() => expect(list.queryByText('Omar Haddad')).toBeNull())
    await waitFor(() => expect(router.state.location.searchStr).toContain('q=Dana'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Disabled')
    expect(await screen.findByText('No workers found')).toBeTruthy()
    expect(router.state.location.searchStr).toContain('status=disabled')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by role' }), 'Finance')
    await waitFor(() => expect(router.state.location.searchStr).toContain('role=Finance'))
  })

  it('opens a worker by the URL and reloads when access changed', async () => {
    const server = serve(dana)
    await open(server, '?worker=12')
    await detail('Dana Whitfield')
    server.answer(readWorker, { worker: makeWorker({ name: 'Dana W. Whitfield' }) })
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"access","about":12}' }))
    expect(await detail('Dana W. Whitfield')).toBeTruthy()
  })

  it('shows that a worker does not exist, without Retry', async () => {
    await open(serve(dana), '?worker=99')
    expect(await screen.findByText('This worker does not exist.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })
})

describe('the limits', () => {
  it('are loaded, changed and saved', async () => {
    const asked: unknown[] = []
    const server = serve(dana)
      .answer(readLimits, { creditsPerDay: 200 })
      .answer(changeLimits, ({ body }) => {
        asked.push(body)
        return body
      })
    const { user } = await open(server)
    await user.click(await screen.findByRole('button', { name: 'Limits' }))
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Credits per worker per day' })
    expect(field.value).toBe('200')
    await user.clear(field)
    await user.type(field, '50')
    await user.click(screen.getByRole('button', { name: 'Save limits' }))
    expect(await screen.findByText('Limits saved.')).toBeTruthy()
    expect(asked).toEqual([{ creditsPerDay: 50 }])
  })
})

describe('permissions', () => {
  it('are in exactly one group each', () => {
    const grouped = permissionGroups.flatMap(({ names }) => names)
    expect(grouped.toSorted()).toEqual([...permissionNames].toSorted())
  })

  it('are filled in by a role, changed by hand, and saved with the loaded version', async () => {
    const server = serve(dana).answer(changePermissions, { worker: makeWorker({ version: 5 }) })
    const { user } = await open(server, '?worker=12')
    await detail('Dana Whitfield')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Support Agent')
    expect(box('Read and reply to support tickets').checked).toBe(true)
    expect(box('Run the tax audit and fix discrepancies').checked).toBe(false)
    await user.click(box('Create support tickets'))
    await user.click(screen.getByRole('button', { name: 'Save permissions' }))
    expect(await screen.findByText(/Permissions saved/)).toBeTruthy()
    const held = (rolePresets['Support Agent'] ?? []).filter((name) => name !== 'tickets.create').map(codeOf)
    expect(server.requests.find(({ call }) => call === changePermissions)?.body).toEqual({
      role: 'Support Agent',
      permissions: held,
      version: 4,
    })
  })

  it('clear the Owner role when one is unchecked', async () => {
    const { user } = await open(serve(dana), '?worker=12')
    await detail('Dana Whitfield')
    const role = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Role' })
    await user.selectOptions(role, 'Owner')
    expect(screen.getByText('31 of 31 permissions')).toBeTruthy()
    await user.click(box('See system health'))
    expect(role.value).toBe('')
  })

  it('show what someone else saved first and keep my selection', async () => {
    const current = makeWorker({ role: 'Growth', permissions: [{ code: '4', words: 'Growth' }], version: 9 })
    const message = 'Someone else changed this worker. Reload and try again.'
    const server = serve(dana).answer(changePermissions, new Refusal(409, 'stale', message, { current }))
    const { user } = await open(server, '?worker=12')
    await detail('Dana Whitfield')
    await user.click(box('See the error log'))
    server.answer(readWorker, { worker: current })
    await user.click(screen.getByRole('button', { name: 'Save permissions' }))
    expect(await screen.findByText(/Someone else saved: Growth, 1 permission\. Save again/)).toBeTruthy()
    expect(screen.getByText(message)).toBeTruthy()
    expect(box('See the error log').checked).toBe(true)
    server.answer(changePermissions, { worker: makeWorker({ version: 10 }) })
    await user.click(screen.getByRole('button', { name: 'Save permissions' }))
    await waitFor(() =>
      expect(server.requests.findLast(({ call }) => call === changePermissions)?.body).toMatchObject({ version: 9 }),
    )
  })

  it('do not silently overwrite what a colleague saved while I was editing', async () => {
    const server = serve(dana)
    const { user } = await open(server, '?worker=12')
    await detail('Dana Whitfield')
    await user.click(box('See the error log'))
    const current = makeWorker({ role: 'Growth', permissions: [{ code: '4', words: 'Growth' }], version: 5 })
    server.answer(readWorker, { worker: current })
    server.answer(changePermissions, ({ body }) =>
      body.version === 5
        ? { worker: makeWorker({ version: 6 }) }
        : new Refusal(409, 'stale', 'Someone else changed this worker. Reload and try again.', { current }),
    )
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"access","about":12}' }))
    expect(await screen.findByText(/Someone else saved: Growth, 1 permission\./)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save permissions' }))
    expect(await screen.findByText(/Save again to replace it/)).toBeTruthy()
    expect(box('See the error log').checked).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Save permissions' }))
    expect(await screen.findByText(/Permissions saved/)).toBeTruthy()
    expect(server.requests.filter(({ call }) => call === changePermissions).map(({ body }) => body)).toMatchObject([
      { version: 4 },
      { version: 5 },
    ])
    expect(screen.queryByText(/Someone else saved/)).toBeNull()
  })

  it('are saved even if another field of the worker changed', async () => {
    const server = serve(dana).answer(changePermissions, { worker: makeWorker({ version: 6 }) })
    const { user } = await open(server, '?worker=12')
    await detail('Dana Whitfield')
    server.answer(readWorker, { worker: makeWorker({ status: 'disabled', version: 5 }) })
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"access","about":12}' }))
    expect(await screen.findByText('Disabled')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save permissions' }))
    expect(await screen.findByText(/Permissions saved/)).toBeTruthy()
    expect(server.requests.findLast(({ call }) => call === changePermissions)?.body).toMatchObject({ version: 5 })
  })

  it('ask before discarding unsaved changes', async () => {
    const { user, router } = await open(serve(dana, omar), '?worker=12')
    await detail('Dana Whitfield')
    await user.click(box('See the error log'))
    await user.click(screen.getByText('Omar Haddad'))
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
    await user.click(within(question).getByRole('button', { name: 'Stay' }))
    expect(router.state.location.searchStr).toContain('worker=12')
    expect(box('See the error log').checked).toBe(true)
  })

  it('cannot be changed on my own account', async () => {
    const mine = makeWorker({ id: 7, name: 'Priya Raman' })
    await open(serve(mine), '?worker=7')
    await detail('Priya Raman')
    expect(screen.getByText(/cannot change your own permissions/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save permissions' })).toBeNull()
    expect(screen.getByText('Run the tax audit and fix discrepancies')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Disable' }).disabled).toBe(true)
  })
})

describe('a worker', () => {
  it('is invited with a role and then opened', async () => {
    const server = serve(dana, omar).answer(inviteWorker, { worker: omar })
    const { user, router } = await open(server)
    await user.click(screen.getByRole('button', { name: 'Invite worker' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite a worker' }))
    fill(dialog.getByRole('textbox', { name: 'Name' }), 'Omar Haddad')
    fill(dialog.getByRole('textbox', { name: 'Email' }), 'omar@example.com')
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Role' }), 'Finance')
    await user.click(dialog.getByRole('button', { name: 'Send invitation' }))
    expect(await screen.findByText('An onboarding link is on its way to omar@example.com.')).toBeTruthy()
    await waitFor(() => expect(router.state.location.searchStr).toContain('worker=13'))
    expect(server.requests.find(({ call }) => call === inviteWorker)?.body).toEqual({
      name: 'Omar Haddad',
      email: 'omar@example.com',
      role: 'Finance',
      permissions: (rolePresets.Finance ?? []).map(codeOf),
    })
  })

  it('is not invited twice, and the input stays', async () => {
    const message = 'A worker with this email already exists.'
    const { user } = await open(serve(dana).answer(inviteWorker, new Refusal(409, 'taken', message)))
    await user.click(screen.getByRole('button', { name: 'Invite worker' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite a worker' }))
    fill(dialog.getByRole('textbox', { name: 'Name' }), 'Dana')
    fill(dialog.getByRole('textbox', { name: 'Email' }), 'dana.whitfield@example.com')
    await user.click(dialog.getByRole('button', { name: 'Send invitation' }))
    expect(await dialog.findByText(message)).toBeTruthy()
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Dana')
  })

  it('gets the link again only while invited', async () => {
    const server = serve(dana, omar).answer(resendLink, { worker: omar })
    const { user } = await open(server, '?worker=13')
    await detail('Omar Haddad')
    await user.click(screen.getByRole('button', { name: 'Resend link' }))
    expect(await screen.findByText(/A new link is on its way/)).toBeTruthy()
    await user.click(screen.getByText('Dana Whitfield'))
    await detail('Dana Whitfield')
    expect(screen.queryByRole('button', { name: 'Resend link' })).toBeNull()
  })

  it('gets a link shown on screen when there is no mail server', async () => {
    const link = 'http://localhost:3000/onboarding?token=abc'
    const server = serve(dana, omar).answer(inviteWorker, { worker: omar }).answer(showLink, { link })
    const { user } = await open(server, '', makeSession(undefined, { hasMailServer: false }))
    await user.click(screen.getByRole('button', { name: 'Invite worker' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite a worker' }))
    fill(dialog.getByRole('textbox', { name: 'Name' }), 'Omar Haddad')
    fill(dialog.getByRole('textbox', { name: 'Email' }), 'omar@example.com')
    await user.click(dialog.getByRole('button', { name: 'Invite' }))
    expect(await screen.findByText(/Omar Haddad was invited/)).toBeTruthy()
    expect(document.body.textContent).not.toMatch(/on its way|mailbox/)
    await detail('Omar Haddad')
    expect(screen.queryByRole('button', { name: 'Resend link' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show link' }))
    const shown = within(await screen.findByRole('dialog', { name: 'Onboarding link for Omar Haddad' }))
    expect(shown.getByRole<HTMLInputElement>('textbox', { name: 'Link' }).value).toBe(link)
    await user.click(shown.getByRole('button', { name: 'Copy link' }))
    expect(await navigator.clipboard.readText()).toBe(link)
    const [close] = shown.getAllByRole('button', { name: 'Close' })
    await user.click(close as HTMLElement)
    await waitFor(() => expect(screen.queryByDisplayValue(link)).toBeNull())
  })

  it('gets another name and email, saved with the loaded version', async () => {
    const server = serve(dana).answer(correctWorker, { worker: makeWorker({ name: 'Dana Quill', version: 5 }) })
    const { user } = await open(server, '?worker=12')
    await detail('Dana Whitfield')
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Dana Whitfield' }))
    fill(dialog.getByRole('textbox', { name: 'Name' }), 'Dana Quill')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === correctWorker)?.body).toEqual({
      name: 'Dana Quill',
      email: 'dana.whitfield@example.com',
      version: 4,
    })
  })

  it('is signed out everywhere after a confirmation', async () => {
    const server = serve(dana).answer(endWorkerSessions, { worker: makeWorker({ openSessions: 0, sessions: [] }) })
    const { user } = await open(server, '?worker=12')
    await detail('Dana Whitfield')
    await user.click(screen.getByRole('button', { name: 'End sessions' }))
    const question = await screen.findByRole('alertdialog', { name: 'Sign Dana Whitfield out everywhere?' })
    await user.click(within(question).getByRole('button', { name: 'End sessions' }))
    expect(await screen.findByText('Dana Whitfield is signed out everywhere.')).toBeTruthy()
  })

  it('is disabled with a reason', async () => {
    const server = serve(dana).answer(disableWorker, { worker: makeWorker({ status: 'disabled' }) })
    const { user } = await open(server, '?worker=12')
    await detail('Dana Whitfield')
    await user.click(screen.getByRole('button', { name: 'Disable' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Disable Dana Whitfield?' }))
    fill(dialog.getByRole('textbox', { name: 'Reason' }), 'Left the company')
    await user.click(dialog.getByRole('button', { name: 'Disable' }))
    expect(await screen.findByText('Dana Whitfield is disabled.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === disableWorker)?.body).toEqual({ reason: 'Left the company' })
  })

  it('shows the open work before a worker is disabled', async () => {
    const server = serve(dana)
      .answer(countTickets, ({ query }) => ({
        ...noTickets,
        matching: query.assignee === 12 && query.status !== 'closed' ? 2 : 0,
      }))
      .answer(listTasks, { tasks: [], pagination: paginate(1, 1, 1) })
    const { user } = await open(server, '?worker=12')
    await detail('Dana Whitfield')
    await user.click(screen.getByRole('button', { name: 'Disable' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Disable Dana Whitfield?' }))
    const tickets = await dialog.findByRole('link', { name: '4 open tickets' })
    expect(tickets.getAttribute('href')).toContain('/support/tickets?assignee=')
    expect((await dialog.findByText(/will stay assigned to/)).textContent).toBe(
      '4 open tickets and 1 open task will stay assigned to Dana Whitfield until someone reassigns them.',
    )
  })

  it('cannot be disabled as the last Owner', async () => {
    await open(serve(makeWorker({ role: 'Owner', isLastOwner: true })), '?worker=12')
    await detail('Dana Whitfield')
    expect(screen.getByText(/The last Owner keeps every permission/)).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Disable' }).disabled).toBe(true)
  })
})
