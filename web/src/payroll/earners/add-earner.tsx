import { type EarnerReply, MAX_CANDIDATES } from '@limber/contract/payroll/earners/earner.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { useField } from '#ui/form/form-state.ts'
import { useServerSearch } from '#ui/form/use-server-search.ts'
import { type Candidate, candidatesQuery, useAddEarner } from './earner.api.ts'

// A kind and an id: stretchers and workers have ids of their own.
const Schema = z.object({ person: z.string('is required') })

const optionOf = ({ kind, person_id, name, email }: Candidate) => ({
  value: `${kind} ${person_id}`,
  label: `${name}, ${kind}, ${email}`,
})

function bodyOf(person: string) {
  const [kind, id] = person.split(' ')
  return kind === 'stretcher' ? { stretcher_id: Number(id) } : { worker_id: Number(id) }
}

/** Selects a stretcher or worker who is not on payroll yet. The server searches by name or email. */
function PersonField() {
  const { value, error, set } = useField<string>('person', 'Person', '')
  const [own, setOwn] = useState<{ value: string; label: string }>()
  const { search, optionsOf, field } = useServerSearch(own ? [own] : [])
  const found = useQuery(candidatesQuery(search)).data?.candidates ?? []
  const data = optionsOf(found.map(optionOf))
  return (
    <Select
      label="Person"
      placeholder="Name or email"
      description={found.length === MAX_CANDIDATES ? 'Type a name or an email to find more people.' : undefined}
      {...field}
      data={data}
      value={value === '' ? null : value}
      error={error}
      onChange={(next) => {
        setOwn(data.find((one) => one.value === next))
        set(next ?? undefined)
      }}
    />
  )
}

interface Props {
  onClose: () => void
  onAdded: (earner: EarnerReply) => void
}

/** Puts a stretcher or worker on payroll. */
export default function AddEarner({ onClose, onAdded }: Props) {
  const add = useAddEarner()
  const mutateAsync = async ({ person }: z.input<typeof Schema>) => {
    const earner = await add.mutateAsync(bodyOf(person))
    toast(`${earner.name} is on payroll.`)
    onAdded(earner)
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Add earner"
      context="Stretchers join payroll with their first completed session. Add a person here to record a W-4 or pay before that. This cannot be undone."
      submit="Add earner"
      schema={Schema}
      mutation={{ mutateAsync }}
    >
      <PersonField />
    </FormDialog>
  )
}
