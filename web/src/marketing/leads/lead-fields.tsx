import { type LeadDetail, LeadSource, leadSourceWords } from '@limber/contract/marketing/leads/lead.ts'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { leadCampaignsQuery } from './lead.api.ts'

/** What is wrong with an address or a number is the server's to say. */
export const LeadFields = z.object({
  first_name: z.string().trim().min(1, 'is required').max(100),
  last_name: z.string().trim().max(100).optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  source: LeadSource,
  campaign_id: z.number().optional(),
})
/** The same for a lead that came without a first name: none needs to be made up. */
export const NamelessFields = LeadFields.extend({ first_name: z.string().trim().max(100) })
export type LeadFields = z.infer<typeof LeadFields>

export const fieldsOf = (lead: LeadDetail): LeadFields => ({
  first_name: lead.first_name,
  last_name: lead.last_name,
  ...(lead.email ? { email: lead.email } : {}),
  ...(lead.phone ? { phone: lead.phone } : {}),
  source: lead.source,
  ...(lead.campaign_id ? { campaign_id: lead.campaign_id } : {}),
})

/** The fields as the calls want them: what was left empty is nothing. */
export const bodyOf = ({ last_name, email, phone, campaign_id, ...fields }: LeadFields) => ({
  ...fields,
  last_name: last_name ?? '',
  email: email || null,
  phone: phone || null,
  campaign_id: campaign_id ?? null,
})

const sources = LeadSource.options.map((source) => ({ value: source, label: leadSourceWords[source] }))

export function LeadInputs() {
  const campaigns = useQuery(leadCampaignsQuery)
  return (
    <>
      <FieldRow>
        <TextField label="First name" name="first_name" />
        <TextField label="Last name" name="last_name" />
      </FieldRow>
      <TextField label="E-mail" name="email" type="email" />
      <FieldRow>
        <TextField label="Phone" name="phone" type="tel" placeholder="(951) 555-0142" />
        <ChoiceField label="Source" name="source" options={sources} />
      </FieldRow>
      <ChoiceField
        label="Campaign"
        name="campaign_id"
        placeholder={campaigns.isError ? 'Campaigns could not be read' : 'None'}
        isNumeric
        options={(campaigns.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </>
  )
}
