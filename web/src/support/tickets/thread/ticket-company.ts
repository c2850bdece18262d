import {
  listPresence,
  PRESENCE_EVERY_SECONDS,
  type TicketCompany,
  tellPresence,
} from '@limber/contract/support/tickets/ticket.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { send } from '#platform/api/api.ts'
import { type LiveMessage, useLive } from '#platform/live/live.ts'
import { useSession } from '#platform/session/session.tsx'

type Somebody = TicketCompany[number]

// Workers who lose the connection do not report that they left.
const LOOK_AGAIN = 30_000

const companyQuery = queryOptions({
  queryKey: ['support', 'ticket-company'],
  queryFn: ({ signal }) => send(listPresence, {}, { signal }),
  refetchInterval: LOOK_AGAIN,
})

type Said = Omit<Somebody, 'state'> & { state: Somebody['state'] | 'left' }

function readMessage({ ticket, who, name, state }: LiveMessage): Said | undefined {
  if (typeof ticket !== 'number' || typeof who !== 'number' || typeof name !== 'string') return undefined
  return state === 'viewing' || state === 'typing' || state === 'left'
    ? { ticket, workerId: who, name, state }
    : undefined
}

/** The other workers on each ticket, viewing or typing, updated live. */
export function useCompany(): TicketCompany {
  const cache = useQueryClient()
  const { workerId } = useSession()
  const { data = [] } = useQuery(companyQuery)
  useLive('tickets.presence', (message) => {
    const said = readMessage(message)
    if (!said) return void cache.invalidateQueries({ queryKey: companyQuery.queryKey })
    if (said.workerId === workerId) return
    cache.setQueryData(companyQuery.queryKey, (before = []) => {
      const others = before.filter((one) => one.ticket !== said.ticket || one.workerId !== said.workerId)
      const { ticket, workerId: who, name, state } = said
      return state === 'left' ? others : [...others, { ticket, workerId: who, name, state }]
    })
  })
  return data
}

const beat = PRESENCE_EVERY_SECONDS * 1_000

// Errors are ignored: a worker without reports counts as gone.
function tell(id: number, state: 'viewing' | 'typing' | 'left'): void {
  void send(tellPresence, { params: { id: String(id) }, body: { state } }).catch(() => undefined)
}

/** Reports that this worker is viewing or typing, until the ticket is left. */
export function usePresence(ticketId: number, isTyping: boolean): void {
  useEffect(() => {
    const say = () => {
      if (document.visibilityState === 'visible') tell(ticketId, isTyping ? 'typing' : 'viewing')
    }
    say()
    const timer = setInterval(say, beat)
    document.addEventListener('visibilitychange', say)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', say)
    }
  }, [ticketId, isTyping])
  useEffect(() => () => tell(ticketId, 'left'), [ticketId])
}

const firstName = (name: string) => name.split(' ')[0] ?? name

/** A row's text about the other workers on its ticket. */
export function companyWords(others: TicketCompany): string | undefined {
  const [first] = others.filter(({ state }) => state === 'typing').concat(others)
  if (!first) return undefined
  const rest = new Set(others.map(({ workerId }) => workerId)).size - 1
  const more = rest > 0 ? ` and ${rest} more` : ''
  return `${firstName(first.name)}${more} ${first.state === 'typing' ? 'writing' : 'looking'}`
}
