import { correctWorker, type WorkerDetail } from '@limber/contract/access/workers/worker.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { useCorrect } from '../access.api.ts'

const consequence = {
  invited: 'If the email changes, the new address gets a new link and the old one stops working.',
  active: 'If the email changes, codes and links go to the new address. The old one gets a notice.',
  disabled: 'If the email changes, the old address gets a notice.',
}

const WITHOUT_MAIL = 'Changing the email cancels open links and sign-in codes.'

export function WorkerEdit({ worker, isOwn }: { worker: WorkerDetail; isOwn: boolean }) {
  const { hasMailServer } = useSession()
  // The version the form was opened with, so that a concurrent change is detected.
  const [base, setBase] = useState<WorkerDetail>()
  const correct = useCorrect(worker.id)
  return (
    <>
      <Button variant="default" disabled={isOwn} onClick={() => setBase(worker)}>
        Edit
      </Button>
      {base && (
        <FormDialog
          isOpen
          onClose={() => setBase(undefined)}
          title={`Edit ${base.name}`}
          context={`${hasMailServer ? consequence[base.status] : WITHOUT_MAIL} You confirm with your passkey.`}
          submit="Save"
          schema={correctWorker.body}
          initial={{ name: base.name, email: base.email }}
          fixed={{ version: base.version }}
          mutation={correct}
          onDone={() => toast('Saved.')}
        >
          <TextField label="Name" name="name" />
          <TextField label="Email" name="email" type="email" />
        </FormDialog>
      )}
    </>
  )
}
