import { listTickets, type Ticket, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { IconLifebuoy } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'

/** The ticket with this number, and the latest ones whose subject, customer or messages contain the text. */
export async function findTickets(
  text: string,
  signal: AbortSignal,
  more: (ticket: Ticket) => Partial<PaletteItem> = () => ({}),
): Promise<PaletteItem[]> {
  const search = text.trim()
  if (search.length < 2 && !/^[1-9]$/.test(search)) return []
  const tickets = await send(listTickets, { query: { search, limit: '5' } }, { signal })
  return tickets.map((ticket) => {
    const { id, subject, status, customer, customer_email } = ticket
    return {
      id: `ticket-${id}`,
      title: subject,
      detail: `#${id} · ${customer?.name ?? customer_email} · ${ticketStatusLabels[status]}`,
      icon: IconLifebuoy,
      run: (go) => go(hrefTo('/support/tickets', { ticket: id })),
      ...more(ticket),
    }
  })
}
