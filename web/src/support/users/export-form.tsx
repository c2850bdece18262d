import { exportUser } from '@limber/contract/support/account.ts'
import { saveText } from '#ui/csv.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { toast } from '#ui/toast-store.ts'
import { useExport } from './account.api.ts'
import type { AccountFormProps } from './account-form.ts'
import { ReasonField } from './reason-field.tsx'

/** Hands out everything that is kept of a customer. */
export function ExportForm({ user: { personalInfo }, onClose, onDone }: AccountFormProps) {
  const { id, name } = personalInfo
  const collect = useExport(id)
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Export the data of ${name}`}
      context="A JSON file with account, bookings, payments, credits, rewards, notes and text messages, and with tickets and leads if you may see them."
      submit="Export"
      schema={exportUser.body}
      mutation={{
        mutateAsync: async (body) => {
          const file = await collect.mutateAsync(body)
          saveText(`customer-${id}.json`, `${JSON.stringify(file, null, 2)}\n`, 'application/json')
          toast(`The data of ${name} is saved as customer-${id}.json.`)
        },
      }}
      onDone={onDone}
    >
      <ReasonField />
    </FormDialog>
  )
}
