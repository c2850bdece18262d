import { type PromiseDraft, type SavedPromises, savePromises } from '@limber/contract/support/promises/promise.ts'
import { Button } from '@mantine/core'
import { FormBody } from '#ui/form/form.tsx'
import { LeaveGuard } from '#ui/form/leave-guard.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { HolidaysField } from './holidays-field.tsx'
import { useSavePromises } from './promises.api.ts'
import styles from './promises.module.css'
import { TargetsField } from './targets-field.tsx'
import { WeekField } from './week-field.tsx'

const Draft = savePromises.body.omit({ version: true })

const fieldsOf = ({ week, holidays, targets }: SavedPromises): PromiseDraft => ({ week, holidays, targets })

// Long lists: that they differ, not how, decides.
const formatters: readonly (readonly [string, (fields: PromiseDraft) => string])[] = [
  ['Targets', ({ targets }) => `${countTargets(targets)} targets`],
  ['Business hours', ({ week }) => week.map((day) => (day ? `${day.from}–${day.to}` : 'closed')).join(', ')],
  ['Holidays', ({ holidays }) => holidays.map(({ day }) => day).join(', ') || 'none'],
]

const countTargets = ({ first, next }: PromiseDraft['targets']) =>
  [first, next].flatMap((kind) => Object.values(kind).flatMap(Object.values)).filter((target) => target !== null).length

interface Props {
  base: SavedPromises
  onRestart: () => void
}

/** When two leads edit at once, the second one decides which version to keep. */
export function PromisesForm({ base, onRestart }: Props) {
  const save = useSavePromises()
  const { mutateAsync, conflict } = useConflict<typeof savePromises, PromiseDraft>({
    base,
    fieldsOf,
    formatters,
    title: 'Someone else changed the promises',
    send: (fields) => save.mutateAsync(savePromises.body.parse(fields)),
    onSaved: (saved) => {
      toastUndo('Promises saved.', saved, { detail: 'Open tickets follow within a minute.' })
      onRestart()
    },
    onTaken: onRestart,
  })
  const model = useForm({
    schema: Draft,
    mutation: { mutateAsync: (typed) => mutateAsync(Draft.parse(typed)) },
    initial: fieldsOf(base),
  })
  const foot = (
    <div className={styles.foot}>
      <Button type="submit" loading={model.isSending} disabled={!model.isDirty}>
        Save promises
      </Button>
    </div>
  )
  return (
    <>
      <FormBody model={model} foot={foot}>
        <SectionCard title="Response targets">
          <p className={styles.hint}>
            Time until our response, in business hours. It pauses while we wait for the customer and while a ticket is
            snoozed. People without an account count as Bronze.
          </p>
          <TargetsField name="targets" kind="first" title="First response" />
          <TargetsField name="targets" kind="next" title="Next responses" />
        </SectionCard>
        <SectionCard title="Business hours">
          <WeekField name="week" zone={base.timeZone} />
        </SectionCard>
        <SectionCard title="Holidays">
          <HolidaysField name="holidays" />
        </SectionCard>
      </FormBody>
      {conflict}
      <LeaveGuard isDirty={model.isDirty && !model.isSending} />
    </>
  )
}
