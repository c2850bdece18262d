import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { CallFailure } from '#platform/api/call-failure.ts'
import { renderScreen } from '#platform/testing/testing.tsx'
import { DataTable, type TablePage } from './data-table.tsx'
import type { Column } from './data-table-types.ts'
import { visiblePages } from './pager.tsx'
import { useTableState } from './table-state.ts'

interface Person {
  id: number
  name: string
}
const people = Array.from(
  { length: 46 },
  (_, place): Person => ({ id: place + 1, name: `Person ${String(place + 1).padStart(2, '0')}` }),
)
const columns: Column<Person>[] = [
  { key: 'name', title: 'Name', sort: 'name', isTitle: true, cell: (row) => row.name },
  { key: 'id', title: 'Number', sort: 'id', isDownFirst: true, isRight: true, cell: (row) => row.id },
  { key: 'do', title: 'Actions', cell: (row) => <button type="button">Remove {row.id}</button> },
]

interface Props {
  read?: (page: TablePage<Person>) => Promise<TablePage<Person>>
  onOpen?: (row: Person) => void
  canSelect?: boolean
}

function Table({ read = async (page) => page, onOpen, canSelect = false }: Props) {
  const state = useTableState('people', { sort: 'name' })
  const [ids, onChange] = useState<ReadonlySet<string>>(new Set())
  const query = useQuery({
    queryKey: ['people', state.page, state.limit, state.sort],
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: () => {
      const sorted = state.sort?.isDown ? people.toReversed() : people
      const first = (state.page - 1) * state.limit
      return read({ rows: sorted.slice(first, first + state.limit), totalItems: people.length })
    },
  })
  return (
    <>
      <DataTable
        label="People"
        query={query}
        columns={columns}
        keyOf={(row) => row.id}
        state={state}
        empty={<p>No customers yet</p>}
        failure="Failed to load people"
        {...(onOpen ? { onOpen } : {})}
        {...(canSelect ? { selection: { ids, onChange } } : {})}
      />
      <p>{ids.size} chosen</p>
    </>
  )
}

const firstCells = () =>
  within(screen.getByRole('table', { name: 'People' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent)

describe('a table', () => {
  it('shows a page and its range', async () => {
    await renderScreen(<Table />, { path: '/people' })
    expect(await screen.findByText('1 to 10 of 46')).toBeTruthy()
    expect(firstCells()).toHaveLength(10)
  })

  it('pages and keeps the page in the URL', async () => {
    const { user, router } = await renderScreen(<Table />, { path: '/people?page=2&q=x' })
    expect(await screen.findByText('11 to 20 of 46')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Page 5' }))
    expect(await screen.findByText('41 to 46 of 46')).toBeTruthy()
    expect(router.state.location.search).toEqual({ page: '5', q: 'x' })
    expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true)
  })

  it('saves the page size', async () => {
    const { user, unmount } = await renderScreen(<Table />, { path: '/people?page=3' })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Rows' }), '25')
    expect(await screen.findByText('1 to 25 of 46')).toBeTruthy()
    unmount()
    await renderScreen(<Table />, { path: '/people' })
    expect(await screen.findByText('1 to 25 of 46')).toBeTruthy()
  })

  it('sorts by its headers and marks the order', async () => {
    const { user, router } = await renderScreen(<Table />, { path: '/people' })
    await screen.findByText('Person 01')
    const head = (name: string) => screen.getByRole('columnheader', { name })
    expect(head('Name').getAttribute('aria-sort')).toBe('ascending')
    await user.click(screen.getByRole('button', { name: 'Number' }))
    expect(await screen.findByText('Person 46')).toBeTruthy()
    expect(head('Number').getAttribute('aria-sort')).toBe('descending')
    expect(head('Name').getAttribute('aria-sort')).toBeNull()
    expect(router.state.location.search).toEqual({ sort: '-id' })
    expect(within(head('Actions')).queryByRole('button')).toBeNull()
  })

  it('opens a row with a click, with Enter after j and k, and with its name', async () => {
    const onOpen = vi.fn()
    const { user } = await renderScreen(<Table onOpen={onOpen} />, { path: '/people' })
    await screen.findByText('Person 01')
    await user.click(screen.getByRole('cell', { name: '2' }))
    await user.keyboard('jkk{Enter}')
    await user.click(screen.getByRole('button', { name: 'Person 03' }))
    expect(onOpen.mock.calls.map(([row]) => row.id)).toEqual([2, 1, 3])
  })

  it('ignores clicks on buttons and on selected text', async () => {
    const onOpen = vi.fn()
    const { user } = await renderScreen(<Table onOpen={onOpen} />, { path: '/people' })
    await user.click(await screen.findByRole('button', { name: 'Remove 1' }))
    vi.spyOn(window, 'getSelection').mockReturnValue({ toString: () => 'Person' } as Selection)
    await user.click(screen.getByRole('cell', { name: '2' }))
    expect(onOpen).not.toHaveBeenCalled()
  })

  it('selects one row or the whole page', async () => {
    const { user } = await renderScreen(<Table canSelect />, { path: '/people' })
    const [first] = await screen.findAllByRole('checkbox', { name: 'Select row' })
    if (first) await user.click(first)
    expect(screen.getByText('1 chosen')).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: /Select all/ }))
    expect(screen.getByText('10 chosen')).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: /Select all/ }))
    expect(screen.getByText('0 chosen')).toBeTruthy()
  })

  it('goes from a missing page to the last one, and Back skips it', async () => {
    const { router } = await renderScreen(<Table />, { path: '/people?page=9' })
    expect(await screen.findByText('41 to 46 of 46')).toBeTruthy()
    expect(router.state.location.search).toEqual({ page: '5' })
    expect(router.history.length).toBe(1)
  })

  it('says when there are more rows than were counted', async () => {
    const read = async () => ({ rows: people.slice(0, 10), totalItems: 10_000, isMore: true })
    await renderScreen(<Table read={read} />, { path: '/people' })
    expect(await screen.findByText('1 to 10 of more than 10,000')).toBeTruthy()
  })

  it('shows the empty state', async () => {
    await renderScreen(<Table read={async () => ({ rows: [], totalItems: 0 })} />, { path: '/people' })
    expect(await screen.findByText('No customers yet')).toBeTruthy()
  })

  it("shows a failure with the server's message and Retry", async () => {
    let isDown = true
    const read = async (page: TablePage<Person>) => {
      if (isDown) throw new CallFailure(503, { error: 'The database is slow.', code: 'busy' })
      return page
    }
    const { user } = await renderScreen(<Table read={read} />, { path: '/people' })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Failed to load people')
    expect(alert.textContent).toContain('The database is slow.')
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Person 01')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  it.each([
    [1, 4, [1, 2, 3, 4]],
    [1, 4622, [1, 2, 3, 0, 4622]],
    [7, 20, [1, 0, 6, 7, 8, 0, 20]],
    [20, 20, [1, 0, 18, 19, 20]],
    [1, 1, [1]],
  ])('shows the pages around page %i of %i', (page, pages, named) => expect(visiblePages(page, pages)).toEqual(named))
})
