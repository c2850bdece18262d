// @module-tag slow
import {
  type ChangeTickets,
  changeTickets,
  listTickets,
  type TicketDetail,
} from '@limber/contract/support/tickets/ticket.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeTicket, serveTickets } from '../ticket.testing.ts'
import Tickets from '../tickets.screen.tsx'

const path = '/support/tickets'
const hear = (message: object) => act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify(message) }))
const boxOf = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const rowOf = (name: RegExp) => screen.getByRole('link', { name })
const bar = () => screen.getByRole('region', { name: 'Selected tickets' })
const chosen = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter(({ checked }) => checked)
    .map(({ id }) => Number(id.replace('select-', '')))

const four = () => [
  makeTicket({ id: 1, subject: 'Late again' }),
  makeTicket({ id: 2, subject: 'Refund please', status: 'in_progress', version: 5 }),
  makeTicket({ id: 3, subject: 'Sore shoulder' }),
  makeTicket({ id: 4, subject: 'Thanks', status: 'closed' }),
]

async function open(tickets: TicketDetail[] = four(), where = path) {
  const desk = serveTickets(...tickets)
  const asked: ChangeTickets[] = []
  desk.server.answer(changeTickets, ({ body }) => {
    asked.push(body)
    const changed = body.tickets.map(({ id, version }) => {
      const change = 'workerId' in body.change ? {} : body.change
      desk.put({ ...desk.find(id), ...change, version: version + 1 })
      return { id, version: version + 1 }
    })
    return { changed: changed.length, tickets: changed, refused: [] }
  })
  const view = await renderScreen(<Tickets />, { server: desk.server, path: where })
  await screen.findByText('Late again')
  const choose = async (button: string, item: string) => {
    await view.user.click(within(bar()).getByRole('button', { name: button }))
    await view.user.click(await screen.findByRole('menuitem', { name: item }))
  }
  return { ...desk, ...view, asked, choose }
}

describe('selecting tickets', () => {
  it('works with the checkboxes, while a click on the row still opens it', async () => {
    const { user, router } = await open()
    expect(screen.queryByRole('region', { name: 'Selected tickets' })).toBeNull()
    await user.click(boxOf(/#1 Late again/))
    expect(router.state.location.href).toBe(path)
    // The bar loads when it is first needed.
    expect(within(await screen.findByRole('region', { name: 'Selected tickets' })).getByText('1 selected')).toBeTruthy()
    await user.click(rowOf(/Refund please/))
    expect(router.state.location.href).toBe(`${path}?ticket=2`)
    expect(chosen()).toEqual([1])
    await user.click(boxOf(/#1 Late again/))
    expect(screen.queryByRole('region', { name: 'Selected tickets' })).toBeNull()
  })

  it('selects a range with Shift, on checkboxes or rows', async () => {
    const { user, router } = await open()
    await user.click(boxOf(/#1/))
    await user.keyboard('{Shift>}')
    await user.click(boxOf(/#3/))
    expect(chosen()).toEqual([1, 2, 3])
    await user.click(rowOf(/Thanks/))
    await user.keyboard('{/Shift}')
    expect(chosen()).toEqual([1, 2, 3, 4])
    expect(router.state.location.href).toBe(path)
  })

  it('works with x on the row that j and k move to, and Escape clears it', async () => {
    const { user } = await open()
    await user.keyboard('jxjjx')
    expect(chosen()).toEqual([1, 3])
    await user.keyboard('x')
    expect(chosen()).toEqual([1])
    await user.click(boxOf(/#2/))
    await user.keyboard('jx')
    expect(chosen()).toEqual([1, 2, 3])
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Selected tickets' })).toBeNull()
  })

  it('x selects the open ticket when no row has focus; in a field it is a letter', async () => {
    const { user } = await open(four(), `${path}?ticket=3`)
    await screen.findByRole('heading', { name: 'Sore shoulder' })
    await user.keyboard('x')
    expect(chosen()).toEqual([3])
    await user.type(screen.getByPlaceholderText('Search tickets...'), 'x')
    expect(chosen()).toEqual([3])
  })

  it('survives Escape in a menu of the bar', async () => {
    const { user } = await open()
    await user.click(boxOf(/#1/))
    await user.click(within(bar()).getByRole('button', { name: 'Status' }))
    await screen.findByRole('menuitem', { name: 'Open' })
    await waitFor(() => expect(document.activeElement?.closest('[role="menu"]')).toBeTruthy())
    await user.keyboard('x{Escape}')
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull())
    expect(chosen()).toEqual([1])
  })

  it('selects the whole page, and clears it', async () => {
    const { user } = await open()
    await user.click(boxOf(/#1/))
    await user.click(within(bar()).getByRole('button', { name: 'Select all on this page' }))
    expect(chosen()).toEqual([1, 2, 3, 4])
    expect(within(bar()).queryByRole('button', { name: 'Select all on this page' })).toBeNull()
    await user.click(within(bar()).getByRole('button', { name: 'Clear' }))
    expect(chosen()).toEqual([])
  })

  it('works on touch: after Select, a tap on a row selects it until Done', async () => {
    const { user, router } = await open()
    await user.click(screen.getByRole('button', { name: 'Select' }))
    await user.click(rowOf(/Late again/))
    await user.click(rowOf(/Thanks/))
    expect(chosen()).toEqual([1, 4])
    expect(router.state.location.href).toBe(path)
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(chosen()).toEqual([])
    await user.click(rowOf(/Thanks/))
    expect(router.state.location.href).toBe(`${path}?ticket=4`)
  })

  it('survives a refresh, but drops tickets that leave the page', async () => {
    const { user, state } = await open()
    await user.click(boxOf(/#1/))
    await user.click(boxOf(/#2/))
    const [first, ...rest] = state.tickets
    state.tickets = [...rest, makeTicket({ id: 9, subject: 'A new question' })]
    hear({ topic: 'tickets', ticket: 9 })
    await screen.findByText('A new question')
    expect(chosen()).toEqual([2])
    if (first) state.tickets = [first, ...state.tickets]
    hear({ topic: 'tickets', ticket: 1 })
    await screen.findByText('Late again')
    expect(chosen()).toEqual([2])
  })

  it('is cleared when the list failed to load', async () => {
    const { user, server, cache } = await open()
    await user.click(boxOf(/#1/))
    server.answer(listTickets, new Refusal(500, 'broken', 'It broke.'))
    await act(() => cache.invalidateQueries())
    await screen.findByText('Failed to fetch tickets: 500 It broke.')
    expect(screen.queryByRole('region', { name: 'Selected tickets' })).toBeNull()
    server.answer(listTickets, [makeTicket({ id: 1, subject: 'Late again' })].map(serveTickets().rowOf))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByText('Late again')
    expect(chosen()).toEqual([])
  })
})

describe('the selected tickets', () => {
  it('are closed with the versions on screen, with Undo to each previous status', async () => {
    const { user, asked, choose, find } = await open()
    await user.click(boxOf(/#1/))
    await user.click(boxOf(/#2/))
    await choose('Status', 'Closed')
    expect(await screen.findByText('2 tickets closed')).toBeTruthy()
    expect(asked).toEqual([
      {
        tickets: [
          { id: 1, version: 1 },
          { id: 2, version: 5 },
        ],
        change: { status: 'closed' },
      },
    ])
    expect(chosen()).toEqual([1, 2])
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Undone for 2 tickets.')).toBeTruthy()
    expect(asked.slice(1)).toEqual([
      { tickets: [{ id: 1, version: 2 }], change: { status: 'open' } },
      { tickets: [{ id: 2, version: 6 }], change: { status: 'in_progress' } },
    ])
    expect([find(1).status, find(2).status]).toEqual(['open', 'in_progress'])
  })

  it('can be changed twice in a row with the new versions', async () => {
    const { user, asked, choose } = await open()
    await user.click(boxOf(/#3/))
    await choose('Assign', 'Dana Whitfield')
    expect(await screen.findByText('1 ticket assigned to Dana Whitfield')).toBeTruthy()
    await choose('Priority', 'Low')
    expect(await screen.findByText('1 ticket set to low priority')).toBeTruthy()
    await choose('Assign', 'Me')
    await waitFor(() => expect(asked).toHaveLength(3))
    expect(asked.map(({ tickets, change }) => [tickets[0]?.version, change])).toEqual([
      [1, { workerId: 8 }],
      [2, { priority: 'low' }],
      [3, { workerId: 7 }],
    ])
  })

  it('that were refused are named with the reason', async () => {
    const { user, server, choose } = await open()
    const why = 'Someone else changed this ticket. Reload and try again.'
    server.answer(changeTickets, {
      changed: 1,
      tickets: [{ id: 1, version: 2 }],
      refused: [{ id: 2, subject: 'Refund please', why }],
    })
    await user.click(boxOf(/#1/))
    await user.click(boxOf(/#2/))
    await choose('Status', 'Closed')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('1 ticket closed, 1 ticket not changed')
    expect(alert.textContent).toContain(`#2 Refund please: ${why}`)
  })

  it('stay selected when the change is refused, and the error shows on another screen', async () => {
    const { user, server, choose } = await open()
    const answer = Promise.withResolvers<Refusal>()
    server.answer(changeTickets, () => answer.promise)
    await user.click(boxOf(/#1/))
    await choose('Status', 'Closed')
    await user.click(within(bar()).getByRole('button', { name: 'Clear' }))
    await user.click(rowOf(/Thanks/))
    answer.resolve(new Refusal(422, 'no_assignee', 'This worker may not handle tickets.'))
    expect(await screen.findByText("Couldn't change the tickets")).toBeTruthy()
    expect(screen.getByText('This worker may not handle tickets.')).toBeTruthy()
  })

  it('that already have the value are reported as unchanged', async () => {
    const { user, server, choose } = await open()
    server.answer(changeTickets, { changed: 0, tickets: [], refused: [] })
    await user.click(boxOf(/#4/))
    await choose('Status', 'Closed')
    expect(await screen.findByText('Nothing changed. The tickets already have this value.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})
