import { type HistoryChange, listHistory } from '@limber/contract/access/history/history.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { HistoryButton } from './history-button.tsx'

beforeAll(() => import('./history-drawer.tsx'))

const makeChange = (overrides: Partial<HistoryChange>): HistoryChange => ({
  ...{ id: 1, at: '2026-11-10T18:00:00.000Z', by: { kind: 'person', name: 'Marcus Bell' } },
  ...{ text: 'changed 2 details', reason: null, values: [] },
  ...overrides,
})
const value = { field: 'email', label: 'Email', from: 'old@example.com', to: 'new@example.com', missing: null }
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
      makeChange({ id: 4, values: [{ ...value, from: null, to: null, missing: 'erased on Nov 3' }] }),
    ]
    const { drawer } = await show(new FakeServer().answer(listHistory, pageOf(changes)))
    expect(drawer.textContent).toContain('Jon Reyes, 4 changes since Jan 12')
    const [first, second, third, fourth] = within(drawer).getAllByRole('listitem')
    expect(first?.textContent).toContain('Marcus Bell changed 2 details')
    expect(within(first as HTMLElement).getByText('old@example.com').tagName).toBe('DEL')
    expect(within(first as HTMLElement).getByText('new@example.com').tagName).toBe('INS')
    expect(first?.textContent).toContain('none(951) 555-0142')
    expect(second?.textContent).toContain('You added a noteAsked by phone')
    expect(third?.textContent).toContain('Customer app added this lead')
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
