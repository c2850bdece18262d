import { cancelEntry } from '@limber/contract/payroll/entries/entry.ts'
import type { EntryReply } from '@limber/contract/payroll/lists/detail.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { useCancelEntry } from '../earners/earner.api.ts'
import { entryName } from '../labels.ts'

/** Cancels a manual entry before it is paid. */
export function CancelEntry({ entry: { id, type, status, booking_id } }: { entry: EntryReply }) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useCancelEntry(id)
  if (status !== 'pending' || booking_id !== null || type === 'session') return null
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        Cancel entry
      </Button>
      <FormDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Cancel ${entryName(id)}?`}
        context="The entry stays in the list but will not be paid. This cannot be undone. You confirm with your passkey."
        submit="Cancel entry"
        cancel="Keep entry"
        isDestructive
        schema={cancelEntry.body}
        mutation={cancel}
        onDone={() => toast(`${entryName(id)} canceled.`)}
      >
        <TextField label="Reason" name="reason" hint="Saved in the audit log." />
      </FormDialog>
    </>
  )
}
