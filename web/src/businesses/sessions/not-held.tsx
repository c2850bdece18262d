import { markNotHeld, type SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { useMarkNotHeld } from '../blocks/block.api.ts'
import { type Notify, NotifyChoice } from './notify-choice.tsx'

interface Props {
  session: SessionDetail
  onClose: () => void
  onDone: () => void
}

/** Marks a session as not held, with a reason. */
export function NotHeld({ session, onClose, onDone }: Props) {
  const [notify, setNotify] = useState<Notify>({ stretcher: true, business: true })
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Mark this session as not held?"
      context={`${session.block_hours} hours return to the block, and ${session.stretcher_name} is not paid for this session. This cannot be undone.`}
      submit="Mark as not held"
      isDestructive
      schema={markNotHeld.body}
      fixed={{ session_id: session.id, notify }}
      mutation={useMarkNotHeld()}
      onDone={() => {
        toast('Marked as not held.', { detail: 'The hours are back in the block.' })
        onDone()
      }}
    >
      <AreaField label="Reason" name="reason" rows={2} hint="Shown in the ledger and the audit log." />
      <NotifyChoice
        value={notify}
        stretcher={session.stretcher_name}
        business={session.admin_email}
        onChange={setNotify}
      />
    </FormDialog>
  )
}
