import { Email } from '@limber/contract/kit/values.ts'
import { z } from 'zod'
import { useSession } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { useInvite } from './team.api.ts'

const Schema = z.object({ email: Email })

/** Guesses the name from the email: 'maya.ortiz@example.com' is Maya Ortiz. */
function nameOf(email: string): string {
  const [local = ''] = email.trim().split('@')
  const words = local
    .replace(/\+.*$/, '')
    .split(/[._-]+/)
    .filter(Boolean)
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join(' ') || email
}

/** Invites a worker to growth: creates a pending worker and a link to set up their access. */
export default function InviteMember({ onClose }: { onClose: () => void }) {
  const invite = useInvite()
  const { hasMailServer } = useSession()
  const mutation = {
    mutateAsync: ({ email }: z.input<typeof Schema>) =>
      invite.mutateAsync({ email, name: nameOf(email), role: 'Growth' }),
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Invite Member"
      context="They get the Growth role and a link to set up their access."
      submit={hasMailServer ? 'Send invitation' : 'Invite'}
      schema={Schema}
      mutation={mutation}
      onDone={() => toast(hasMailServer ? 'Invitation sent.' : 'Worker invited. Copy the link under Access & audit.')}
    >
      <TextField label="Email" name="email" type="email" placeholder="name@example.com" />
    </FormDialog>
  )
}
