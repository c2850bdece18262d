import {
  listPresence,
  PRESENCE_EVERY_SECONDS,
  reportPresence,
  type TicketPresence,
} from '@limber/contract/support/tickets/ticket.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { send } from '#platform/api/api.ts'
import { type LiveMessage, useLive } from '#platform/live/live.ts'
import { useSession } from '#platform/session/session.tsx'

type Viewer = TicketPresence[number]

// Workers who lose the connection do not report that they left.
const REFRESH_EVERY = 30_000

const presenceQuery = queryOptions({
  queryKey: ['support', 'ticket-presence'],
  queryFn: ({ signal }) => send(listPresence, {}, { signal }),
  refetchInterval: REFRESH_EVERY,
})

type PresenceMessage = Omit<Viewer, 'state'> & { state: Viewer['state'] | 'left' }

function readMessage({ ticket, who, name, state }: LiveMessage): PresenceMessage | undefined {
  if (typeof ticket !== 'number' || typeof who !== 'number' || typeof name !== 'string') return undefined
  return state === 'viewing' || state === 'typing' || state === 'left'
    ? { ticket, workerId: who, name, state }
    : undefined
}

/** The other workers on each ticket, viewing or typing, updated live. */
export function useTicketPresence(): TicketPresence {
  const cache = useQueryClient()
  const { workerId } = useSession()
  const { data = [] } = useQuery(presenceQuery)
  useLive('tickets.presence', (message) => {
    const said = readMessage(message)
    if (!said) return void cache.invalidateQueries({ queryKey: presenceQuery.queryKey })
    if (said.workerId === workerId) return
    cache.setQueryData(presenceQuery.queryKey, (before = []) => {
      const others = before.filter((one) => one.ticket !== said.ticket || one.workerId !== said.workerId)
      const { ticket, workerId: who, name, state } = said
      return state === 'left' ? others : [...others, { ticket, workerId: who, name, state }]
    })
  })
  return data
}

const HEARTBEAT = PRESENCE_EVERY_SECONDS * 1_000

// Errors are ignored: a worker without reports counts as gone.
function report(id: number, state: 'viewing' | 'typing' | 'left'): void {
  void send(reportPresence, { params: { id: String(id) }, body: { state } }).catch(() => undefined)
}

/** Reports that this worker is viewing or typing, until the ticket is left. */
export function usePresence(ticketId: number, isTyping: boolean): void {
  useEffect(() => {
    const reportState = () => {
      if (document.visibilityState === 'visible') report(ticketId, isTyping ? 'typing' : 'viewing')
    }
    reportState()
    const timer = setInterval(reportState, HEARTBEAT)
    document.addEventListener('visibilitychange', reportState)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', reportState)
    }
  }, [ticketId, isTyping])
  useEffect(() => () => report(ticketId, 'left'), [ticketId])
}

const firstName = (name: string) => name.split(' ')[0] ?? name

/** A row's text about the other workers on its ticket. */
export function presenceText(others: TicketPresence): string | undefined {
  const [first] = others.filter(({ state }) => state === 'typing').concat(others)
  if (!first) return undefined
  const rest = new Set(others.map(({ workerId }) => workerId)).size - 1
  const more = rest > 0 ? ` and ${rest} more` : ''
  return `${firstName(first.name)}${more} ${first.state === 'typing' ? 'typing' : 'viewing'}`
}
