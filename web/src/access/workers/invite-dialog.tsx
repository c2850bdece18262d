import { inviteWorker } from '@limber/contract/access/workers/worker.ts'
import { useSession } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { FieldRow, TextField } from '#ui/form/fields.tsx'
import { useInvite } from '../access.api.ts'
import { PermissionPicker } from './permission-picker.tsx'

interface Props {
  onClose: () => void
  onInvited: (workerId: number) => void
}

export default function InviteDialog({ onClose, onInvited }: Props) {
  const invite = useInvite()
  const { hasMailServer } = useSession()
  const mutation = {
    mutateAsync: async (body: Parameters<typeof invite.mutateAsync>[0]) => {
      const { worker } = await invite.mutateAsync(body)
      toast(
        hasMailServer
          ? `An onboarding link is on its way to ${worker.email}.`
          : `${worker.name} was invited. Select “Show link” and give them the link.`,
      )
      onInvited(worker.id)
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Invite a worker"
      context={
        hasMailServer
          ? 'They get an onboarding link by email. It works for seven days. You confirm with your passkey.'
          : 'No mail server is set up. After inviting, select “Show link” and give them the link. You confirm with your passkey.'
      }
      submit={hasMailServer ? 'Send invitation' : 'Invite'}
      size={760}
      schema={inviteWorker.body}
      mutation={mutation}
      initial={{ role: null, permissions: [] }}
    >
      <FieldRow>
        <TextField label="Name" name="name" />
        <TextField label="Email" name="email" type="email" />
      </FieldRow>
      <PermissionPicker />
    </FormDialog>
  )
}
