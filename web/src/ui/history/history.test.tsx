import { type HistoryChange, listHistory, restoreValue } from '@limber/contract/access/history/history.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { currentToasts } from '../feedback/toast-store.ts'
import { HistoryButton } from './history-button.tsx'

beforeAll(() => import('./history-drawer.tsx'))

const makeChange = (overrides: Partial<HistoryChange>): HistoryChange => ({
  ...{ id: 1, at: '2026-11-10T18:00:00.000Z', by: { kind: 'person', name: 'Marcus Bell' } },
  ...{ text: 'changed 2 details', reason: null, values: [], undo: null },
  ...overrides,
})
const value = {
  field: 'email',
  label: 'Email',
  from: 'old@example.com',
  to: 'new@example.com',
  missing: null,
  restore: null,
}
const pageOf = (changes: HistoryChange[], count = changes.length, next: string | null = null) => ({
  ...{ name: 'Jon Reyes', changes, next },
  total: { count, isMore: false, since: '2026-01-12T18:00:00.000Z' },
})

async function show(server: FakeServer) {
  const view = await renderScreen(<HistoryButton record={{ kind: 'lead', id: 7 }} />, { server })
  await view.user.click(screen.getByRole('button', { name: 'History' }))
  const drawer = await screen.findByRole('complementary', { name: 'History' })
  await waitFor(() => expect(within(drawer).queryByRole('status', { name: 'Loading' })).toBeNull())
  return { ...view, drawer }
}

describe('the history of a record', () => {
  it('says who changed what, from what to what', async () => {
    const changes = [
      makeChange({ values: [value, { ...value, field: 'phone', label: 'Phone', from: null, to: '(951) 555-0142' }] }),
      makeChange({ id: 2, by: { kind: 'you', name: 'Priya Raman' }, text: 'added a note', reason: 'Asked by phone' }),
      makeChange({ id: 3, by: { kind: 'program', name: 'Customer app' }, text: 'added this lead' }),
      makeChange({ id: 5, text: 'changed Credits', values: [{ ...value, label: 'Credits', from: '3', to: '5' }] }),
      makeChange({ id: 4, values: [{ ...value, from: null, to: null, missing: 'erased on Nov 3' }] }),
    ]
    const { drawer } = await show(new FakeServer().answer(listHistory, pageOf(changes)))
    expect(drawer.textContent).toContain('Jon Reyes, 5 changes since Jan 12')
    const [first, second, third, balance, fourth] = within(drawer).getAllByRole('listitem')
    expect(first?.textContent).toContain('Marcus Bell changed 2 details')
    expect(within(first as HTMLElement).getByText('old@example.com').tagName).toBe('DEL')
    expect(within(first as HTMLElement).getByText('new@example.com').tagName).toBe('INS')
    expect(first?.textContent).toContain('none(951) 555-0142')
    expect(second?.textContent).toContain('You added a noteAsked by phone')
    expect(third?.textContent).toContain('Customer app added this lead')
    // Balances are not struck.
    expect(within(balance as HTMLElement).getByText('3').parentElement?.dataset.plain).toBe('true')
    expect(within(first as HTMLElement).getByText('old@example.com').parentElement?.dataset.plain).toBeUndefined()
    expect(fourth?.textContent).toContain('erased on Nov 3')
  })

  it('opens and closes by keys, moves by j and k, and returns the focus', async () => {
    const server = new FakeServer().answer(listHistory, pageOf([makeChange({}), makeChange({ id: 2 })]))
    const { user, drawer } = await show(server)
    const [first, second] = within(drawer).getAllByRole('listitem')
    await user.keyboard('jj')
    expect(document.activeElement).toBe(second)
    await user.keyboard('k')
    expect(document.activeElement).toBe(first)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'History' }))
    await user.keyboard('{Shift>}H{/Shift}')
    expect(await screen.findByRole('complementary')).toBeTruthy()
  })

  it('filters by who, loads earlier changes, and follows live changes', async () => {
    const asked: unknown[] = []
    let changes = [makeChange({})]
    const server = new FakeServer().answer(listHistory, ({ query }) => {
      asked.push(query)
      return query.before ? pageOf([makeChange({ id: 2, text: 'added this lead' })], 2) : pageOf(changes, 2, '1.1')
    })
    const { user, drawer } = await show(server)
    await user.click(within(drawer).getByRole('button', { name: '1 earlier change' }))
    expect(await within(drawer).findByText('added this lead')).toBeTruthy()
    await user.selectOptions(within(drawer).getByLabelText('Who'), 'programs')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ by: 'programs' }))
    changes = [makeChange({ id: 9, text: 'changed the status' }), ...changes]
    act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify({ topic: 'leads', lead: 7 }) }))
    expect(await within(drawer).findByText('changed the status')).toBeTruthy()
  })

  it('restores a value after a confirmation, and takes it back', async () => {
    const restorable = {
      ...value,
      restore: { now: 'new@example.com', effect: 'The customer gets an email.', isLatest: true, list: null },
    }
    const restored = {
      ...value,
      from: value.to,
      to: value.from,
      restore: { now: value.from, effect: null, isLatest: true, list: null },
    }
    const sent: unknown[] = []
    let changes = [makeChange({ id: 5, values: [restorable] })]
    const server = new FakeServer()
      .answer(listHistory, () => pageOf(changes))
      .answer(restoreValue, ({ params, body }) => {
        sent.push([params.id, body])
        changes = [makeChange({ id: 6, by: { kind: 'you', name: 'Priya' }, values: [restored] }), ...changes]
        return { label: 'Email', value: 'old@example.com' }
      })
    const { user, drawer } = await show(server)
    await user.keyboard('jr')
    const confirm = within(drawer).getByRole('region', { name: 'Restore Email' })
    expect(confirm.textContent).toContain('Restore Email to “old@example.com”?')
    expect(confirm.textContent).toContain('The customer gets an email.')
    // Escape closes the confirmation, not the drawer.
    await user.keyboard('{Escape}')
    expect(within(drawer).queryByRole('region', { name: 'Restore Email' })).toBeNull()
    await user.click(within(drawer).getByRole('button', { name: 'Restore Email to old@example.com' }))
    await user.click(within(drawer).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(sent).toEqual([[5, { field: 'email', now: 'new@example.com' }]]))
    await waitFor(() => expect(within(drawer).queryByRole('region', { name: 'Restore Email' })).toBeNull())
    await waitFor(() =>
      expect(currentToasts().at(-1)).toMatchObject({ text: 'Email restored', detail: 'old@example.com' }),
    )
    currentToasts().at(-1)?.action?.run()
    await waitFor(() => expect(sent.at(-1)).toEqual([6, { field: 'email', now: 'old@example.com' }]))
  })

  it('shows three values when someone changed it since, and undoes the last own change with Ctrl Z', async () => {
    const older = { ...value, restore: { now: 'third@example.com', effect: null, isLatest: false, list: null } }
    const own = {
      ...value,
      field: 'phone',
      label: 'Phone',
      from: '1',
      to: '2',
      restore: { now: '2', effect: null, isLatest: true, list: null },
    }
    const sent: unknown[] = []
    const changes = [
      makeChange({ id: 8, values: [older] }),
      makeChange({ id: 7, by: { kind: 'you', name: 'Priya' }, values: [own] }),
    ]
    const server = new FakeServer().answer(listHistory, pageOf(changes)).answer(restoreValue, ({ params, body }) => {
      sent.push([params.id, body])
      return new Refusal(409, 'changed', 'Someone changed this value since.')
    })
    const { user, drawer } = await show(server)
    await user.click(within(drawer).getByRole('button', { name: 'Restore Email to old@example.com' }))
    const confirm = within(drawer).getByRole('region', { name: 'Restore Email' })
    expect(confirm.textContent).toContain('Thennew@example.comNowthird@example.comRestore toold@example.com')
    await user.click(within(confirm).getByRole('button', { name: 'Cancel' }))
    await user.keyboard('{Control>}z{/Control}')
    await waitFor(() => expect(sent).toEqual([[7, { field: 'phone', now: '2' }]]))
    await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ detail: 'Someone changed this value since.' }))
  })

  it('says when there is nothing yet and when it cannot be loaded', async () => {
    const gone = new Refusal(404, 'not_found', 'This record does not exist.')
    const server = new FakeServer().answer(listHistory, gone)
    const { drawer, unmount } = await show(server)
    expect(await within(drawer).findByText('This record does not exist.')).toBeTruthy()
    unmount()
    const { drawer: empty } = await show(new FakeServer().answer(listHistory, pageOf([])))
    expect(await within(empty).findByText('No changes yet')).toBeTruthy()
  })
})
