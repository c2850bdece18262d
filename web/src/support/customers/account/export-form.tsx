import { formatList } from '@limber/contract/kit/formats/numbers.ts'
import { exportUser } from '@limber/contract/support/customers/account.ts'
import { useCan } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { saveText } from '#ui/table/csv.ts'
import { useExport } from './account.api.ts'
import type { AccountFormProps } from './account-form.ts'
import { ReasonField } from './reason-field.tsx'

const CONTENTS =
  'A JSON file with the account, bookings, payments, credits, rewards, notes, on-site slots, certifications, training, notifications and the newest 10,000 usage events'

/** Message types in the file, split by whether the worker may see them. */
function useExportParts() {
  const may = { words: useCan('support.tab'), tickets: useCan('users.tickets'), leads: useCan('growth.tab') }
  const all = [
    ['text messages', may.words],
    ['emails', may.words],
    ['tickets', may.tickets],
    ['leads', may.leads],
  ] as const
  const named = (isIn: boolean) => all.filter(([, isAllowed]) => isAllowed === isIn).map(([name]) => name)
  return { inside: named(true), outside: named(false) }
}

export function ExportForm({ user: { personalInfo }, onClose, onDone }: AccountFormProps) {
  const { id, name } = personalInfo
  const collect = useExport(id)
  const { inside, outside } = useExportParts()
  const included = inside.length > 0 ? `, plus ${formatList(inside)}` : ''
  const excluded = outside.length > 0 ? ` You do not have permission to export ${formatList(outside)}.` : ''
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Export data for ${name}`}
      context={`${CONTENTS}${included}.${excluded}`}
      submit="Export"
      schema={exportUser.body}
      mutation={{
        mutateAsync: async (body) => {
          const file = await collect.mutateAsync(body)
          saveText(`customer-${id}.json`, `${JSON.stringify(file, null, 2)}\n`, 'application/json')
          toast(`Data for ${name} saved as customer-${id}.json.`)
        },
      }}
      onDone={onDone}
    >
      <ReasonField />
    </FormDialog>
  )
}
