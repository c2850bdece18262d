import { type editLead, type LeadDetail, leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { fieldFormatters } from '#ui/form/field-formatters.ts'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { leadCampaignsQuery, useEditLead } from './lead.api.ts'
import { fieldsOf, LeadFields, LeadInputs, NamelessFields } from './lead-fields.tsx'
import { nameOf } from './words.ts'

/** Corrects a lead. Of two who edit at once, the second chooses. */
export function EditLead({ lead, onClose }: { lead: LeadDetail; onClose: () => void }) {
  // What was read again meanwhile must not slip under the form.
  const [base] = useState(lead)
  const schema = base.first_name === '' ? NamelessFields : LeadFields
  const edit = useEditLead(base.id)
  const campaigns = useQuery(leadCampaignsQuery).data ?? []
  const { mutateAsync, conflict } = useConflict<typeof editLead, LeadFields>({
    base,
    fieldsOf,
    title: `${nameOf(base)} was changed meanwhile`,
    formatters: fieldFormatters(leadFields, {
      shown: { campaign_id: (one?: number | null) => campaigns.find(({ id }) => id === one)?.name ?? '' },
    }),
    send: ({ version, ...fields }) => edit.mutateAsync({ ...schema.parse(fields), version }),
    onSaved: (saved) => {
      toast(`${nameOf(saved)} is saved.`)
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
