import { type LeadDetail, leadSourceWords } from '@limber/contract/marketing/leads/lead.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { leadCampaignsQuery, useEditLead } from './lead.api.ts'
import { bodyOf, fieldsOf, LeadFields, LeadInputs, NamelessFields } from './lead-fields.tsx'
import { nameOf } from './words.ts'

/** Corrects a lead. Of two who edit at once, the second chooses. */
export function EditLead({ lead, onClose }: { lead: LeadDetail; onClose: () => void }) {
  // What was read again meanwhile must not slip under the form.
  const [base] = useState(lead)
  const edit = useEditLead(base.id)
  const campaigns = useQuery(leadCampaignsQuery).data ?? []
  const { mutateAsync, conflict } = useConflict<LeadDetail, LeadFields>({
    base,
    fieldsOf,
    title: `${nameOf(base)} was changed meanwhile`,
    words: [
      ['First name', ({ first_name }) => first_name],
      ['Last name', ({ last_name = '' }) => last_name],
      ['E-mail', ({ email = '' }) => email],
      ['Phone', ({ phone = '' }) => phone],
      ['Source', ({ source }) => leadSourceWords[source]],
      ['Campaign', ({ campaign_id }) => campaigns.find(({ id }) => id === campaign_id)?.name ?? ''],
    ],
    send: ({ version, ...fields }) => edit.mutateAsync({ ...bodyOf(fields), version }),
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
        schema={base.first_name === '' ? NamelessFields : LeadFields}
        initial={fieldsOf(base)}
        mutation={{ mutateAsync }}
      >
        <LeadInputs />
      </FormDialog>
      {conflict}
    </>
  )
}
