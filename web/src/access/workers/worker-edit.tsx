import { correctWorker, type WorkerDetail } from '@limber/contract/access/workers/worker.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { useCorrect } from '../access.api.ts'

const consequence = {
  invited: 'A new e-mail address gets a fresh link; the older one stops working.',
  active: 'Codes and links then go to the new address, and the old one is told.',
  disabled: 'The old address is told.',
}

const WITHOUT_MAIL = 'A new address makes open links and sign-in codes useless.'

/** Corrects the name or the e-mail address of a worker. */
export function WorkerEdit({ worker, isOwn }: { worker: WorkerDetail; isOwn: boolean }) {
  const { hasMailServer } = useSession()
  // The version that the person began with, whatever colleagues save meanwhile.
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
          <TextField label="E-mail" name="email" type="email" />
        </FormDialog>
      )}
    </>
  )
}
