import { pickFields } from '@limber/contract/kit/fields.ts'
import {
  createLead,
  editLead,
  type LeadDetail,
  LeadSource,
  leadFields,
  leadLabels,
  leadSourceLabels,
} from '@limber/contract/marketing/leads/lead.ts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { leadCampaignsQuery } from './lead.api.ts'

/** The form fields for new and edited leads. */
export const LeadFields = createLead.body.omit({ note: true })
export type LeadFields = z.input<typeof LeadFields>
/** For a lead that arrived without a first name: the name stays optional. */
export const NamelessFields = LeadFields.extend({ first_name: editLead.body.shape.first_name.unwrap() })

export const fieldsOf = (lead: LeadDetail): LeadFields => pickFields(leadFields, lead)

const sources = LeadSource.options.map((source) => ({ value: source, label: leadSourceLabels[source] }))

export function LeadInputs() {
  const campaigns = useQuery(leadCampaignsQuery)
  return (
    <>
      <FieldRow>
        <TextField label={leadLabels.first_name} name="first_name" />
        <TextField label={leadLabels.last_name} name="last_name" />
      </FieldRow>
      <TextField label={leadLabels.email} name="email" type="email" isOptional />
      <FieldRow>
        <TextField label={leadLabels.phone} name="phone" type="tel" placeholder="(951) 555-0142" isOptional />
        <ChoiceField label={leadLabels.source} name="source" options={sources} />
      </FieldRow>
      <ChoiceField
        label={leadLabels.campaign_id}
        name="campaign_id"
        placeholder={campaigns.isError ? "Couldn't load campaigns" : 'None'}
        isNumeric
        options={(campaigns.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </>
  )
}
