import type { OnsiteSession } from '@limber/contract/businesses/blocks/block.ts'
import { cancelSession, type SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { useState } from 'react'
import { currentOf } from '#platform/api/call-failure.ts'
import { now } from '#platform/clock.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { useCancelSession } from '../blocks/block.api.ts'
import { peopleOf, sessionInZone } from '../labels.ts'
import type { Notify } from './notify-choice.tsx'

interface Props {
  session: SessionDetail
  notify: Notify
  onClose: () => void
  onDone: () => void
}

/** Cancels a session with a reason. Its block can be scheduled again. */
export function CancelSession({ session, notify, onClose, onDone }: Props) {
  const cancel = useCancelSession()
  const [theirs, setTheirs] = useState<OnsiteSession>()
  const mutation = {
    mutateAsync: (body: Parameters<typeof cancel.mutateAsync>[0]) =>
      cancel.mutateAsync(body).catch((error: unknown) => {
        setTheirs((before) => currentOf<typeof cancelSession>(error) ?? before)
        throw error
      }),
  }
  const inWords = (one: Pick<OnsiteSession, 'starts_at' | 'ends_at' | 'stretcher_name'>) =>
    `${sessionInZone(one, session.time_zone, now())}, with ${one.stretcher_name}`
  const taken = session.taken_slots
  const told = [notify.stretcher && session.stretcher_name, notify.business && session.admin_email].filter(Boolean)
  const people = notify.participants ? peopleOf(session) : 0
  const context = [
    'The block can be scheduled again.',
    taken > 0 && `${pluralize(taken, 'slot is', 'slots are')} taken.`,
    told.length > 0 && `${told.join(' and ')} ${told.length === 1 ? 'gets' : 'get'} an email with the reason.`,
    people > 0 &&
      `${pluralize(people, 'person with a slot gets', 'people with a slot get')} an email without the reason.`,
    told.length + people === 0 && 'No one gets an email.',
    'This cannot be undone.',
  ]
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Cancel this session?"
      context={context.filter(Boolean).join(' ')}
      submit="Cancel session"
      cancel="Keep session"
      isDestructive
      schema={cancelSession.body}
      fixed={{ session_id: session.id, version: (theirs ?? session).version, notify }}
      mutation={mutation}
      onDone={() => {
        toast('Session canceled.', { detail: 'Its block can be scheduled again.' })
        onDone()
      }}
    >
      {theirs && (
        <Banner kind="amber">
          Someone else changed this session. You saw {inWords(session)}. Now it is {inWords(theirs)}. Select “Cancel
          session” again to cancel it anyway.
        </Banner>
      )}
      <AreaField label="Reason" name="reason" rows={2} hint="Shown in the ledger and the audit log." />
    </FormDialog>
  )
}
