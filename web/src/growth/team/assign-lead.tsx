import { Id } from '@limber/contract/kit/values.ts'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { ChoiceField } from '#ui/fields.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { toast } from '#ui/toast-store.ts'
import { MemberField } from './member-field.tsx'
import { freeLeadsQuery, useAssignLead } from './team.api.ts'

const Schema = z.object({ leadId: Id, workerId: Id })

/** Gives a lead that nobody looks after to a member of the team. */
export default function AssignLead({ onClose }: { onClose: () => void }) {
  const query = useQuery(freeLeadsQuery)
  const leads = query.data?.leads ?? []
  const assign = useAssignLead()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Assign Lead"
      context={
        query.data && leads.length === 0 ? 'Every lead is in somebody’s hands.' : 'Leads that nobody looks after.'
      }
      submit="Assign"
      schema={Schema}
      mutation={assign}
      onDone={() => toast('The lead is assigned.')}
    >
      <ChoiceField
        label="Lead"
        name="leadId"
        placeholder="Choose a lead"
        isNumeric
        options={leads.map((lead) => {
          const name = `${lead.first_name} ${lead.last_name}`.trim()
          const contact = lead.email ?? lead.phone ?? ''
          return { value: String(lead.id), label: name ? `${name}, ${contact}` : contact }
        })}
      />
      <MemberField />
    </FormDialog>
  )
}
