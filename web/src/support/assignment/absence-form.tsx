import { companyDay } from '@limber/contract/kit/company.ts'
import { type Assignment, createAbsence } from '@limber/contract/support/assignment/assignment.ts'
import { now } from '#platform/clock.ts'
import { useCan, useSession } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { CheckField, ChoiceField, FieldRow } from '#ui/form/fields.tsx'
import { useCreateAbsence } from './assignment.api.ts'

/** Plans days out of office, for oneself or, as a lead, for anyone. */
export default function AbsenceForm({ workers, onClose }: { workers: Assignment['workers']; onClose: () => void }) {
  const { workerId } = useSession()
  const mayManage = useCan('notifications.send')
  const create = useCreateAbsence()
  const today = companyDay(now())
  const options = workers.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Out of office"
      context="New tickets go to others. When a customer replies on one of these tickets, it goes to the substitute or back to the queue."
      submit="Save"
      schema={createAbsence.body}
      mutation={create}
      initial={{ workerId, startsOn: today, endsOn: today, handsOver: true }}
      onDone={() => toast('Out of office saved.')}
    >
      {mayManage && <ChoiceField name="workerId" label="Who" options={options} isNumeric />}
      <FieldRow>
        <DayField name="startsOn" label="First day" />
        <DayField name="endsOn" label="Last day" min={today} />
      </FieldRow>
      <ChoiceField
        name="substituteId"
        label="Substitute"
        placeholder="No one: back to the queue"
        options={mayManage ? options : options.filter(({ value }) => value !== String(workerId))}
        isNumeric
      />
      <CheckField name="handsOver" label="Hand over open tickets at the start" />
    </FormDialog>
  )
}
