import { ChoiceField } from '#ui/form/fields.tsx'
import { useAssignees } from '../growth.api.ts'

/** Whom something is given to. */
export function MemberField({ name = 'workerId' }: { name?: string }) {
  const workers = useAssignees().data?.workers ?? []
  return (
    <ChoiceField
      label="Team member"
      name={name}
      placeholder="Choose a team member"
      isNumeric
      options={workers.map((worker) => ({ value: String(worker.id), label: worker.name }))}
    />
  )
}
