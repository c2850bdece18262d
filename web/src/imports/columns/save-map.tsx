import type { DateOrder } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { saveImportMap } from '@limber/contract/imports/import-map.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { useSaveMap } from '../import.api.ts'

interface Props {
  resource: ImportResource
  columns: Record<string, string>
  dates: DateOrder | null
  onClose: () => void
}

/** Saves where the columns go, for the next file of the same form. */
export default function SaveMap({ resource, columns, dates, onClose }: Props) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Save as map"
      context="It is offered for the next file with these columns. A map with the same name is replaced."
      submit="Save"
      schema={saveImportMap.body}
      fixed={{ resource, columns, dates }}
      mutation={useSaveMap()}
      onDone={() => toast('Map saved.')}
    >
      <TextField label="Name" name="name" />
    </FormDialog>
  )
}
