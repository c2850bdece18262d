import { eraseUser } from '@limber/contract/support/customers/account.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { useErase } from './account.api.ts'
import type { AccountFormProps } from './account-form.ts'
import { ReasonField } from './reason-field.tsx'

/** Erases a customer's personal data. */
export function EraseForm({ user: { personalInfo }, onClose, onDone }: AccountFormProps) {
  const { id, name, email } = personalInfo
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Erase ${name}?`}
      context="This cannot be undone. You confirm with your passkey."
      submit="Erase"
      isDestructive
      schema={eraseUser.body}
      mutation={useErase(id)}
      onDone={() => {
        toast('Customer erased.')
        onDone()
      }}
    >
      <Banner kind="amber">
        Name, addresses, messages and notes are permanently deleted. Bookings and payments are kept without a name.
      </Banner>
      <TextField label="Email of the account" name="email" type="email" hint={`Type ${email} to confirm.`} />
      <ReasonField />
    </FormDialog>
  )
}
