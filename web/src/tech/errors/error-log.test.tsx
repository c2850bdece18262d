// @module-tag slow
import {
  type ErrorQuery,
  handleErrorGroup,
  listErrors,
  listOccurrences,
  readErrorGroup,
  reopenErrorGroup,
} from '@limber/contract/tech/errors/error-log.ts'
import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { closeLive, openLive } from '#platform/live/live.ts'
import { FakeEventSource, FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeErrorList, makeGroup, makeOccurrence } from '../tech.testing.ts'
import ErrorLog from './error-log.screen.tsx'

const path = '/worker/tech/errors'
const opened = `${path}?error=4`

/** The last query of the list. */
let lastQuery: ErrorQuery | undefined

function makeServer(group = makeGroup()) {
  const state = { group, occurrences: [makeOccurrence()] }
  const server = new FakeServer()
    .answer(listErrors, ({ query }) => {
      lastQuery = query
      return makeErrorList([state.group])
    })
    .answer(readErrorGroup, () => state.group)
    .answer(listOccurrences, () => ({ occurrences: state.occurrences, next: null }))
  return { server, state }
}

describe('error list', () => {
  it('shows each group with count, people, first and last seen and latest message, and the totals', async () => {
    const { server } = makeServer(makeGroup({ timesReopened: 2 }))
    await renderScreen(<ErrorLog />, { server, path })
    const table = await screen.findByRole('table', { name: 'Error groups' })
    const row = (await within(table).findByText('/api/payroll/audit', { exact: false })).closest('tr')
    expect(row?.textContent).toContain('500 POST /api/payroll/audit')
    expect(row?.textContent).toContain('Something went wrong on our side.')
    expect(row?.textContent).toContain('recurred')
    expect(row?.querySelectorAll('time')).toHaveLength(2)
    expect(screen.getByRole('region', { name: 'Failures in this timeframe' }).textContent).toContain('12')
  })

  it('keeps filters in the URL and sends them to the server', async () => {
    const { server } = makeServer()
    const { user, router } = await renderScreen(<ErrorLog />, { server, path: `${path}?page=3` })
    await user.selectOptions(await screen.findByLabelText('Status'), '5xx')
    await user.selectOptions(screen.getByLabelText('Source'), 'customer')
    await user.selectOptions(screen.getByLabelText('State'), 'handled')
    await user.type(screen.getByLabelText('Search by path'), 'audit')
    await vi.waitFor(() =>
      expect(router.state.location.search).toEqual({ class: '5xx', source: 'customer', state: 'handled', q: 'audit' }),
    )
    await vi.waitFor(() =>
      expect(lastQuery).toMatchObject({
        class: '5xx',
        source: 'customer',
        state: 'handled',
        search: 'audit',
        page: 1,
      }),
    )
  })

  it('shows the empty states and a loading error', async () => {
    const server = new FakeServer().answer(listErrors, makeErrorList([]))
    const first = await renderScreen(<ErrorLog />, { server, path })
    expect(await screen.findByText('No errors')).toBeTruthy()
    first.unmount()
    const second = await renderScreen(<ErrorLog />, { server, path: `${path}?q=x` })
    expect(await screen.findByText('No errors found')).toBeTruthy()
    second.unmount()
    server.answer(listErrors, new Refusal(503, 'unavailable', 'The service is briefly unavailable.'))
    await renderScreen(<ErrorLog />, { server, path })
    expect(await screen.findByText("Couldn't load the error log", undefined, { timeout: 10_000 })).toBeTruthy()
  })

  it('updates live', async () => {
    vi.stubGlobal('EventSource', FakeEventSource)
    const { server, state } = makeServer()
    await renderScreen(<ErrorLog />, { server, path })
    await screen.findByText('/api/payroll/audit', { exact: false })
    openLive()
    state.group = makeGroup({ path: '/api/new/failure' })
    act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify({ topic: 'errors' }) }))
    expect(await screen.findByText('/api/new/failure', { exact: false })).toBeTruthy()
    closeLive()
  })
})

describe('error group', () => {
  it('shows occurrences with request ID and a link to the person', async () => {
    const { server, state } = makeServer()
    state.occurrences = [
      makeOccurrence(),
      makeOccurrence({ id: 91, person: { kind: 'customer', id: 8, name: 'Ana Cruz' } }),
    ]
    await renderScreen(<ErrorLog />, { server, path: opened })
    const list = await screen.findByRole('region', { name: 'Occurrences' })
    expect(await within(list).findAllByText('req-1')).toHaveLength(2)
    expect(within(list).getByRole('link', { name: 'Ana Cruz' }).getAttribute('href')).toBe('/support/users?user=8')
    expect(within(list).getByRole('link', { name: 'Ruth Abramson' }).getAttribute('href')).toBe(
      '/worker/tech/access?worker=2',
    )
  })

  it('has no link to people whom the worker may not see', async () => {
    const { server, state } = makeServer()
    state.occurrences = [makeOccurrence(), makeOccurrence({ id: 91, person: { kind: 'customer', id: 8, name: null } })]
    await renderScreen(<ErrorLog />, { server, path: opened, session: makeSession(['worker.tab', 'errors.view']) })
    expect(await screen.findByText('customer 8')).toBeTruthy()
    const list = within(screen.getByRole('region', { name: 'Occurrences' })).getByRole('list')
    expect(within(list).queryByRole('link')).toBeNull()
  })

  it('pages to older occurrences', async () => {
    const { server } = makeServer()
    server.answer(listOccurrences, ({ query }) =>
      query.before
        ? { occurrences: [makeOccurrence({ requestId: 'older' })], next: null }
        : { occurrences: [makeOccurrence()], next: '1.2' },
    )
    const { user, router } = await renderScreen(<ErrorLog />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Older' }))
    expect(await screen.findByText('older')).toBeTruthy()
    expect(router.state.location.search).toEqual({ error: '4', before: '1.2' })
  })

  it('is marked as handled with a required note', async () => {
    const { server, state } = makeServer()
    server.answer(handleErrorGroup, ({ body }) => {
      state.group = makeGroup({
        state: 'handled',
        handled: { at: '2026-11-14T10:00:00.000Z', by: 'Omar Haddad', note: body.note },
      })
      return state.group
    })
    const { user } = await renderScreen(<ErrorLog />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Mark as handled' }))
    const dialog = await screen.findByRole('dialog', { name: 'Mark as handled?' })
    await user.click(within(dialog).getByRole('button', { name: 'Mark as handled' }))
    expect(server.callCount(handleErrorGroup)).toBe(0)
    await user.type(within(dialog).getByLabelText('Note'), 'Fixed in 1.4')
    await user.click(within(dialog).getByRole('button', { name: 'Mark as handled' }))
    expect(await screen.findByText(/^Handled by Omar Haddad on/)).toBeTruthy()
    expect(server.requests.find(({ call }) => call === handleErrorGroup)?.body).toEqual({
      note: 'Fixed in 1.4',
      version: 1,
    })
    expect(screen.getByRole('button', { name: 'Reopen' })).toBeTruthy()
  })

  it('keeps the note after a conflict', async () => {
    const { server, state } = makeServer()
    server.answer(handleErrorGroup, () => {
      state.group = makeGroup({ version: 2 })
      return new Refusal(409, 'stale', 'Someone else changed this error group. Reload and try again.')
    })
    const { user } = await renderScreen(<ErrorLog />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Mark as handled' }))
    const dialog = await screen.findByRole('dialog', { name: 'Mark as handled?' })
    await user.type(within(dialog).getByLabelText('Note'), 'Fixed')
    await user.click(within(dialog).getByRole('button', { name: 'Mark as handled' }))
    expect(await within(dialog).findByText('Someone else changed this error group. Reload and try again.')).toBeTruthy()
    expect(within(dialog).getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Fixed')
  })

  it('keeps the form open when someone else handles the group', async () => {
    const { server, state } = makeServer()
    const text = 'This error group is already marked as handled.'
    server.answer(handleErrorGroup, new Refusal(409, 'handled', text))
    const { user } = await renderScreen(<ErrorLog />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Mark as handled' }))
    const dialog = await screen.findByRole('dialog', { name: 'Mark as handled?' })
    await user.type(within(dialog).getByLabelText('Note'), 'Fixed')
    state.group = makeGroup({
      version: 2,
      state: 'handled',
      handled: { at: '2026-11-14T10:00:00.000Z', by: 'Omar Haddad', note: 'Done' },
    })
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"errors"}' }))
    await screen.findByText(/^Handled by Omar Haddad on/)
    await user.click(within(dialog).getByRole('button', { name: 'Mark as handled' }))
    expect(await within(dialog).findByText(text)).toBeTruthy()
    expect(server.callCount(reopenErrorGroup)).toBe(0)
  })

  it('shows that it recurred, and can be reopened', async () => {
    const handled = { at: '2026-11-14T10:00:00.000Z', by: 'Omar Haddad', note: 'Fixed' }
    const again = makeGroup({ handled, reopenedAt: '2026-11-14T11:00:00.000Z', timesReopened: 1 })
    const { server, state } = makeServer(again)
    const { user, unmount } = await renderScreen(<ErrorLog />, { server, path: opened })
    expect((await screen.findByText(/recurred on/)).textContent).toContain('(Fixed)')
    expect(within(screen.getByRole('dialog')).getByText('recurred')).toBeTruthy()
    unmount()
    state.group = makeGroup({ state: 'handled', handled })
    server.answer(reopenErrorGroup, () => {
      state.group = makeGroup({ handled, reopenedAt: '2026-11-14T11:00:00.000Z' })
      return state.group
    })
    await renderScreen(<ErrorLog />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Reopen' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reopen?' })
    await user.type(within(dialog).getByLabelText('Note'), 'It was not')
    await user.click(within(dialog).getByRole('button', { name: 'Reopen' }))
    expect(await screen.findByText(/reopened on/)).toBeTruthy()
  })
})
