// @module-tag slow
import { readTicket } from '@limber/contract/support/tickets/ticket.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeMessage, makeTicket, serveTickets } from '../tickets/ticket.testing.ts'
import Tickets from '../tickets/tickets.screen.tsx'
import { mentionsIn, partsOf } from './mentions.ts'

const slow = { timeout: 10_000 }

async function open(content: string) {
  const first = makeTicket({ messages: [makeMessage({ content })] })
  const other = makeTicket({ id: 3998, subject: 'Late stretcher', status: 'closed', assignee: { id: 8, name: 'Dana' } })
  const desk = serveTickets(first, other)
  desk.server.answer(readTicket, ({ params }) =>
    params.id === 404 ? new Refusal(404, 'not_found', 'Ticket not found') : desk.find(params.id),
  )
  const view = await renderScreen(<Tickets />, { server: desk.server, path: '/support/tickets?ticket=4127' })
  await screen.findByRole('heading', { name: first.subject })
  return view
}

describe('the number of a ticket', () => {
  it('is found between words, and not in words and addresses', () => {
    expect(partsOf('See #12, and (#7).')).toEqual(['See ', 12, ', and (', 7, ').'])
    expect(mentionsIn('#5 #5 #6')).toEqual([5, 6])
    expect(mentionsIn('a#1 &#39; /#2 ##3 #0 #4th #5-6 #1234567890')).toEqual([])
  })

  it('opens the ticket from a message, with a preview', async () => {
    const { user } = await open('As I wrote in #3998, it was late. Order #404 too.')
    const link = await screen.findByRole('link', { name: '#3998' }, slow)
    expect(link.getAttribute('href')).toBe('/support/tickets?ticket=3998')
    await user.hover(link)
    const card = await screen.findByRole('tooltip')
    await waitFor(() => expect(card.textContent).toBe('Late stretcherClosedCamille Okafor, assigned to Dana'))
    await user.unhover(link)
    await user.hover(screen.getByRole('link', { name: '#404' }))
    await waitFor(() => expect(screen.getByRole('tooltip').textContent).toBe('No ticket has the number 404.'), slow)
  })

  it('is explained below what is written', async () => {
    const { user } = await open('Hello')
    await user.type(screen.getByPlaceholderText('Type your response...'), 'This continues #3998.')
    const list = await screen.findByRole('list', { name: 'Mentioned tickets' }, slow)
    await waitFor(() => expect(within(list).getByText('Late stretcher')).toBeTruthy())
  })
})
