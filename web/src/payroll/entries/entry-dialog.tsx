import type { EarnerReply } from '@limber/contract/payroll/earners/earner.ts'
import { addEntry, MAX_UNPAID, type UnpaidSession } from '@limber/contract/payroll/entries/entry.ts'
import { EntryType, isWage } from '@limber/contract/payroll/values.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { FieldRow, inputProps, TextField } from '#ui/form/fields.tsx'
import { FigureField } from '#ui/form/figure-field.tsx'
import { useField } from '#ui/form/form-state.ts'
import { dayText } from '#ui/format/day-text.ts'
import { dollarsText } from '../dollars.tsx'
import { type EntryInput, unpaidSessionsQuery, useAddEntry } from '../earners/earner.api.ts'
import { labelOf, today } from '../labels.ts'

const typeOptions = (kind: EarnerReply['kind']) =>
  EntryType.options
    .filter((value) => kind === 'stretcher' || value !== 'session')
    .map((value) => ({ value, label: isWage(value) ? labelOf(value) : `${labelOf(value)} (not taxed)` }))

const keyOf = ({ kind, id }: Pick<UnpaidSession, 'kind' | 'id'>) => `${kind}/${id}`

const sessionText = ({ kind, work_date, place, hours, amount }: UnpaidSession) =>
  [
    dayText(work_date),
    kind === 'onsite' ? `on-site at ${place}, ${hours} h` : `booking in ${place}`,
    amount === null ? 'no rate on that day' : dollarsText(amount),
  ].join(' · ')

/** Unpaid sessions. Selecting one fills in its amount. */
function SessionField({ sessions }: { sessions: readonly UnpaidSession[] }) {
  const label = 'Session'
  const { value, error, set } = useField<Pick<UnpaidSession, 'kind' | 'id'> | ''>('session', label, '')
  const { set: setAmount } = useField<number | ''>('amount', 'Amount', '')
  const select = (key: string) => {
    const selected = sessions.find((one) => keyOf(one) === key)
    set(selected && { kind: selected.kind, id: selected.id })
    setAmount(selected?.amount ?? '')
  }
  const hint =
    sessions.length === 0
      ? 'All completed sessions have a payroll entry.'
      : sessions.length === MAX_UNPAID
        ? `The latest ${MAX_UNPAID} completed sessions without a payroll entry.`
        : 'Completed sessions without a payroll entry.'
  return (
    <NativeSelect
      {...inputProps({ label, name: 'session', hint })}
      data={[
        { value: '', label: sessions.length === 0 ? 'No unpaid sessions' : 'Select a session' },
        ...sessions.map((one) => ({ value: keyOf(one), label: sessionText(one) })),
      ]}
      value={value === '' ? '' : keyOf(value)}
      error={error}
      onChange={(event) => select(event.currentTarget.value)}
    />
  )
}

/** The session or the work date of the entry. */
function EntryFields({ earner }: { earner: EarnerReply }) {
  const { value: type } = useField('type', 'Type', '')
  const isSession = type === 'session'
  const query = useQuery({ ...unpaidSessionsQuery(earner.id), enabled: isSession })
  if (!isSession)
    return (
      <FieldRow>
        <DayField label="Work date" name="work_date" max={today()} />
        <TextField label="Description" name="sub_type" isOptional hint="Shown as the sub-type." />
      </FieldRow>
    )
  return (
    <QueryView query={query} failure="Couldn't load sessions" loading={<TextSkeleton lines={2} />}>
      {({ sessions }) => <SessionField sessions={sessions} />}
    </QueryView>
  )
}

/** The type. Session pay takes its date from the session; other types have a work date and no session. */
function TypeField({ kind }: { kind: EarnerReply['kind'] }) {
  const { value, error, set } = useField('type', 'Type', '')
  const { set: setDay } = useField('work_date', 'Work date', '')
  const { set: setSession } = useField<unknown>('session', 'Session', '')
  const select = (type: string) => {
    set(type)
    setDay(type === 'session' ? undefined : today())
    setSession(undefined)
  }
  return (
    <NativeSelect
      {...inputProps({ label: 'Type', name: 'type' })}
      data={typeOptions(kind)}
      value={value}
      error={error}
      onChange={(event) => select(event.currentTarget.value)}
    />
  )
}

/** Adds pay or a reimbursement manually. */
export default function EntryDialog({ earner, onClose }: { earner: EarnerReply; onClose: () => void }) {
  const add = useAddEntry()
  const mutation = {
    mutateAsync: async (input: EntryInput) => {
      const { pay_date } = await add.mutateAsync(input)
      toast('Payroll entry added.', { detail: `It will be paid on ${dayText(pay_date)}.` })
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Add pay for ${earner.name}`}
      context="Wages are taxed at the provisional rate of the work date. Mileage and expenses are not taxed. You confirm with your passkey."
      submit="Add pay"
      schema={addEntry.body}
      initial={{ type: 'bonus', work_date: today() }}
      fixed={{ earner_id: earner.id }}
      mutation={mutation}
    >
      <FieldRow>
        <TypeField kind={earner.kind} />
        <FigureField label="Amount" name="amount" decimals={4} hint="Dollars, before tax" />
      </FieldRow>
      <EntryFields earner={earner} />
    </FormDialog>
  )
}
