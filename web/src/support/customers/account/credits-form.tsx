import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { adjustCredits, MAX_CREDITS } from '@limber/contract/support/customers/account.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useCredits } from './account.api.ts'
import type { AccountFormProps } from './account-form.ts'
import { ReasonField } from './reason-field.tsx'

interface Props extends AccountFormProps {
  /** What the amount begins with; 0 for none. */
  amount?: number
}

export function CreditsForm({ user: { personalInfo, engagement }, amount = 0, onClose, onDone }: Props) {
  const { id, name } = personalInfo
  const adjust = useCredits(id)
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Adjust credits for ${name}`}
      context={`Current balance: ${engagement.credits}. One credit is one session.`}
      submit="Adjust"
      schema={adjustCredits.body}
      {...(amount !== 0 && { initial: { delta: amount } })}
      mutation={{
        mutateAsync: async (body) => {
          const reply = await adjust.mutateAsync(body)
          toastUndo(`${name} now has ${pluralize(reply.credits, 'credit')}.`, reply)
        },
      }}
      onDone={onDone}
    >
      <NumberField
        label="Credits"
        name="delta"
        min={-MAX_CREDITS}
        max={MAX_CREDITS}
        hint={`Enter a negative number to remove credits. At most ${MAX_CREDITS} at once.`}
      />
      <ReasonField />
    </FormDialog>
  )
}
