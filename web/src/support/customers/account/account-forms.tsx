import { blockUser, sendVerification, unblockUser } from '@limber/contract/support/customers/account.ts'
import { useSession } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useBlock, useUnblock, useVerification } from './account.api.ts'
import type { AccountFormProps } from './account-form.ts'
import { ReasonField } from './reason-field.tsx'

export function BlockForm({ user: { personalInfo }, onClose, onDone }: AccountFormProps) {
  const { id, name } = personalInfo
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Block ${name}?`}
      context="They can no longer sign in or book. Existing bookings are kept."
      submit="Block"
      isDestructive
      schema={blockUser.body}
      mutation={useBlock(id)}
      onDone={(reply) => {
        toastUndo(`${name} is blocked.`, reply)
        onDone()
      }}
    >
      <ReasonField />
    </FormDialog>
  )
}

export function UnblockForm({ user: { personalInfo }, onClose, onDone }: AccountFormProps) {
  const { id, name } = personalInfo
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Unblock ${name}?`}
      submit="Unblock"
      schema={unblockUser.body}
      mutation={useUnblock(id)}
      onDone={() => {
        toast(`${name} is no longer blocked.`)
        onDone()
      }}
    >
      <ReasonField />
    </FormDialog>
  )
}

export function VerificationForm({ user: { personalInfo }, onClose, onDone }: AccountFormProps) {
  const { id, email } = personalInfo
  const { hasMailServer } = useSession()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Send the verification email?"
      context={
        hasMailServer
          ? `We will send it to ${email}. An email cannot be taken back.`
          : `Email is not connected, so it will not reach ${email}. Set up a mail server first.`
      }
      submit="Send"
      schema={sendVerification.body}
      mutation={useVerification(id)}
      onDone={() => {
        toast(
          hasMailServer
            ? `Verification email sent to ${email}.`
            : 'Verification email saved. It will not be sent until a mail server is set up.',
        )
        onDone()
      }}
    >
      <ReasonField />
    </FormDialog>
  )
}
