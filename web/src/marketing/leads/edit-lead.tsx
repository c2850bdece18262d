import { type editLead, type LeadDetail, leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { fieldFormatters } from '#ui/form/field-formatters.ts'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { leadCampaignsQuery, useEditLead } from './lead.api.ts'
import { fieldsOf, LeadFields, LeadInputs, NamelessFields } from './lead-fields.tsx'
import { nameOf } from './lead-labels.ts'

/** Edits a lead. If someone else saved first, a conflict dialog opens. */
export function EditLead({ lead, onClose }: { lead: LeadDetail; onClose: () => void }) {
  // A background refetch must not change the form's base.
  const [base] = useState(lead)
  const schema = base.first_name === '' ? NamelessFields : LeadFields
  const edit = useEditLead(base.id)
  const campaigns = useQuery(leadCampaignsQuery).data ?? []
  const { mutateAsync, conflict } = useConflict<typeof editLead, LeadFields>({
    base,
    fieldsOf,
    title: `Someone else changed ${nameOf(base)}`,
    formatters: fieldFormatters(leadFields, {
      shown: { campaign_id: (one?: number | null) => campaigns.find(({ id }) => id === one)?.name ?? '' },
    }),
    send: ({ version, ...fields }) => edit.mutateAsync({ ...schema.parse(fields), version }),
    onSaved: (saved) => {
      toastUndo(`${nameOf(saved)} saved.`, saved)
      onClose()
    },
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={`Edit ${nameOf(base)}`}
        submit="Save"
        schema={schema}
        initial={fieldsOf(base)}
        mutation={{ mutateAsync }}
      >
        <LeadInputs />
      </FormDialog>
      {conflict}
    </>
  )
}
