import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import {
  IconArrowForwardUp,
  IconArrowsSplit2,
  IconBulb,
  IconEye,
  IconEyeOff,
  IconGitMerge,
  IconLink,
  IconMail,
  IconPhone,
  IconUserCheck,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCan, useSession } from '#platform/session/session.tsx'
import { contextQuery, useFollowUp, useWatch } from '#support/related/related.api.ts'
import type { TicketLayer } from '#support/related/ticket-layers.tsx'
import { MenuChoice } from '#ui/dialog/menu-choice.tsx'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { canSplit } from './thread/ticket-thread.ts'

interface Props {
  ticket: TicketDetail
  canTake: boolean
  onTake: () => void
  onLayer: (layer: TicketLayer) => void
  onOpen: (id: number) => void
  onUnread: () => void
}

/** Whether this worker watches the ticket, and the change of it. */
function useWatching(id: number) {
  const { workerId } = useSession()
  const { data } = useQuery(contextQuery(id))
  const watch = useWatch(id)
  const isWatching = data?.watchers.some((one) => one.id === workerId) ?? false
  const toggle = () =>
    void watch.mutateAsync(!isWatching).then(
      () => toast(isWatching ? 'You no longer watch this ticket.' : 'You watch this ticket. Changes appear on Today.'),
      (error: unknown) =>
        toastFailure(isWatching ? "Couldn't stop watching the ticket" : "Couldn't watch the ticket", error),
    )
  return { isWatching, isKnown: data !== undefined, toggle }
}

export default function TicketActions({ ticket, canTake, onTake, onLayer, onOpen, onUnread }: Props) {
  const { id, mergedInto, status } = ticket
  const maySuggest = useCan('kb.suggest')
  const isMerged = mergedInto !== null
  const { isWatching, isKnown, toggle } = useWatching(id)
  const followUp = useFollowUp(id)
  const follow = () =>
    void followUp.mutateAsync(undefined).then(
      (made) => {
        toast(`Ticket #${made.id} is a follow-up of #${id}.`)
        onOpen(made.id)
      },
      (error: unknown) => toastFailure("Couldn't open a follow-up", error),
    )
  return (
    <OpenMenu position="bottom-end">
      <MenuChoice leftSection={<Icon of={IconUserCheck} />} isDisabled={!canTake} onClick={onTake}>
        Assign to me
      </MenuChoice>
      <MenuChoice leftSection={<Icon of={isWatching ? IconEyeOff : IconEye} />} isDisabled={!isKnown} onClick={toggle}>
        {isWatching ? 'Stop watching' : 'Watch'}
      </MenuChoice>
      <MenuChoice leftSection={<Icon of={IconMail} />} isDisabled={isMerged} onClick={onUnread}>
        Mark unread
      </MenuChoice>
      <MenuChoice leftSection={<Icon of={IconPhone} />} isDisabled={isMerged} onClick={() => onLayer('callback')}>
        Book a call-back…
      </MenuChoice>
      {status === 'closed' && !isMerged && (
        <MenuChoice leftSection={<Icon of={IconArrowForwardUp} />} onClick={follow}>
          Open a follow-up
        </MenuChoice>
      )}
      {canSplit(ticket) && (
        <MenuChoice leftSection={<Icon of={IconArrowsSplit2} />} onClick={() => onLayer('split')}>
          Split into a new ticket…
        </MenuChoice>
      )}
      <MenuChoice leftSection={<Icon of={IconLink} />} isDisabled={isMerged} onClick={() => onLayer('link')}>
        Link a ticket…
      </MenuChoice>
      <MenuChoice leftSection={<Icon of={IconGitMerge} />} isDisabled={isMerged} onClick={() => onLayer('merge')}>
        Merge into another ticket…
      </MenuChoice>
      {maySuggest && (
        <MenuChoice leftSection={<Icon of={IconBulb} />} onClick={() => onLayer('suggest')}>
          Suggest for knowledge base
        </MenuChoice>
      )}
    </OpenMenu>
  )
}
