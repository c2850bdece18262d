import { Id } from '@limber/contract/kit/values.ts'
import type { Lead } from '@limber/contract/marketing/leads/lead.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useField } from '#ui/form/form-state.ts'
import { useServerSearch } from '#ui/form/use-server-search.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { MemberField } from './member-field.tsx'
import { freeLeadsQuery, useAssignLead } from './team.api.ts'

const Schema = z.object({ leadId: Id, workerId: Id })

function optionOf({ id, first_name, last_name, email, phone }: Lead) {
  const contact = email ?? phone ?? ''
  const name = `${first_name} ${last_name}`.trim()
  return { value: String(id), label: name ? `${name}, ${contact}` : contact }
}

/** Selects an unassigned lead. The server searches by name, email or phone. */
function LeadField() {
  const { value, error, set } = useField<number | ''>('leadId', 'Lead', '')
  const [own, setOwn] = useState<{ value: string; label: string }>()
  const { search, optionsOf, field } = useServerSearch(own ? [own] : [])
  const data = optionsOf((useQuery(freeLeadsQuery(search)).data?.leads ?? []).map(optionOf))
  return (
    <Select
      label="Lead"
      placeholder="Select a lead"
      {...field}
      data={data}
      value={value === '' ? null : String(value)}
      error={error}
      onChange={(next) => {
        setOwn(data.find((one) => one.value === next))
        set(next === null ? undefined : Number(next))
      }}
    />
  )
}

/** Assigns an unassigned lead to a team member. */
export default function AssignLead({ onClose }: { onClose: () => void }) {
  const all = useQuery(freeLeadsQuery('')).data
  const assign = useAssignLead()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Assign Lead"
      context={all?.leads.length === 0 ? 'All open leads are assigned.' : 'Open leads without an assignee.'}
      submit="Assign"
      schema={Schema}
      mutation={assign}
      onDone={(reply) => toastUndo('Lead assigned.', reply)}
    >
      <LeadField />
      <MemberField />
    </FormDialog>
  )
}
