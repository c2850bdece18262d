import type { TicketDetail, TicketPresence } from '@limber/contract/support/tickets/ticket.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useLive } from '#platform/live/live.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ticketQuery } from '../ticket.api.ts'
import type { ChangeSearch } from '../ticket-search.ts'
import styles from './ticket-detail.module.css'
import { TicketHead } from './ticket-head.tsx'
import { type Begun, TicketLoading } from './ticket-loading.tsx'
import { TicketMessages } from './ticket-messages.tsx'
import { usePresence } from './ticket-presence.ts'
import { TicketReply } from './ticket-reply.tsx'
import { useUnread } from './use-unread.ts'

const PromiseBar = lazy(() => import('#support/promises/promise-bar.tsx'))
const TicketOthers = lazy(() => import('./ticket-others.tsx'))

interface Props {
  ticket: TicketDetail
  presence: TicketPresence
  onChange: ChangeSearch
  begun: Begun
}

function Detail({ ticket, presence, onChange, begun }: Props) {
  const [isTyping, setTyping] = useState(false)
  usePresence(ticket.id, isTyping)
  const markUnread = useUnread(ticket.id, () => onChange({ ticket: 0 }))
  return (
    <section className={styles.detail} aria-label={`Ticket #${ticket.id}`}>
      <TicketHead ticket={ticket} onMerged={(into) => onChange({ ticket: into })} onUnread={markUnread} />
      <Suspense>{ticket.promise && <PromiseBar ticket={ticket} />}</Suspense>
      <Suspense>{presence.length > 0 && <TicketOthers presence={presence} />}</Suspense>
      <TicketMessages ticket={ticket} />
      {ticket.mergedInto === null ? (
        <TicketReply ticket={ticket} begun={begun} onTyping={setTyping} />
      ) : (
        <div className={styles.merged}>
          <Banner
            action={
              <button
                type="button"
                className={styles.link}
                onClick={() => onChange({ ticket: ticket.mergedInto ?? 0 })}
              >
                Open ticket #{ticket.mergedInto}
              </button>
            }
          >
            This ticket was merged into another ticket.
          </Banner>
        </div>
      )}
    </section>
  )
}

/** One ticket with its thread and reply box; a live message refreshes it. */
export default function TicketView({ id, presence, onChange }: { id: number } & Omit<Props, 'ticket' | 'begun'>) {
  const cache = useQueryClient()
  const query = useQuery(ticketQuery(id))
  const begun: Begun = useRef(undefined)
  useLive('tickets', ({ ticket, missed }) => {
    if (missed || ticket === id) void cache.invalidateQueries({ queryKey: ticketQuery(id).queryKey })
  })
  return (
    <QueryView query={query} failure="Couldn't load this ticket" loading={<TicketLoading begun={begun} />}>
      {(ticket) => <Detail ticket={ticket} presence={presence} onChange={onChange} begun={begun} />}
    </QueryView>
  )
}
