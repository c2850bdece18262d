import { inviteWorker } from '@limber/contract/access/worker.ts'
import { FieldRow, TextField } from '#ui/fields.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { toast } from '#ui/toast-store.ts'
import { useInvite } from './access.api.ts'
import { PermissionPicker } from './permission-picker.tsx'

interface Props {
  onClose: () => void
  onInvited: (workerId: number) => void
}

/** A new colleague: who they are and what they may do. The link goes to their mailbox and nowhere else. */
export default function InviteDialog({ onClose, onInvited }: Props) {
  const invite = useInvite()
  const mutation = {
    mutateAsync: async (body: Parameters<typeof invite.mutateAsync>[0]) => {
      const { worker } = await invite.mutateAsync(body)
      toast(`An onboarding link is on its way to ${worker.email}.`)
      onInvited(worker.id)
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Invite a worker"
      context="An onboarding link goes to their mailbox. It works for seven days. You confirm with your passkey."
      submit="Send invitation"
      size={760}
      schema={inviteWorker.body}
      mutation={mutation}
      initial={{ role: null, permissions: [] }}
    >
      <FieldRow>
        <TextField label="Name" name="name" />
        <TextField label="E-mail" name="email" type="email" />
      </FieldRow>
      <PermissionPicker />
    </FormDialog>
  )
}
