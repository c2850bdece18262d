import { ChoiceField } from '#ui/form/fields.tsx'
import { useAssignees } from '../growth.api.ts'

export function MemberField({ name = 'workerId' }: { name?: string }) {
  const workers = useAssignees().data?.workers ?? []
  return (
    <ChoiceField
      label="Team member"
      name={name}
      placeholder="Select a team member"
      isNumeric
      options={workers.map((worker) => ({ value: String(worker.id), label: worker.name }))}
    />
  )
}
