import { addDays } from '@limber/contract/kit/days.ts'
import { changeSettings, type PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'
import { PayFrequency } from '@limber/contract/payroll/values.ts'
import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { currentOf } from '#platform/api/call-failure.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { ChoiceField } from '#ui/form/fields.tsx'
import { FigureField } from '#ui/form/figure-field.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { LeaveGuard } from '#ui/form/leave-guard.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { labelOf, today } from '../labels.ts'
import { RateField } from './rate-field.tsx'
import { type SettingsChange, useChangeSettings } from './settings.api.ts'
import styles from './settings.module.css'
import { SettingsConflict } from './settings-conflict.tsx'
import { changedFields, type SettingsValues, settingsFields, valuesOn } from './settings-fields.ts'

const MAX_DAYS_AHEAD = 366
const frequencies = PayFrequency.options.map((value) => ({ value, label: labelOf(value) }))

interface Props {
  /** The settings when editing started. */
  base: PayrollSettings
  /** The version that a change is based on. */
  version: number
  /** Restarts the form with these settings. */
  onRestart: (settings: PayrollSettings) => void
}

/** The effective date in the form; today when it is empty. */
const dayOf = ({ effectiveFrom }: { effectiveFrom?: unknown }) =>
  typeof effectiveFrom === 'string' ? effectiveFrom : today()

/** Changes settings from an effective date. When two people edit at once, the second one resolves the conflict. */
export function SettingsForm({ base, version: seen, onRestart }: Props) {
  const change = useChangeSettings()
  const [theirs, setTheirs] = useState<PayrollSettings>()
  // What the person decided to overwrite in a conflict.
  const version = useRef(0)

  const save = async (typed: SettingsChange) => {
    const body = { ...changedFields(valuesOn(base, dayOf(typed)), typed), version: Math.max(seen, version.current) }
    try {
      const saved = await change.mutateAsync(body)
      toast('Settings saved.', { detail: `Effective from ${dayText(typed.effectiveFrom ?? today())}.` })
      onRestart(saved)
    } catch (error) {
      const current = currentOf<typeof changeSettings>(error)
      if (current) setTheirs(current)
      else toastFailure('Failed to update settings.')
      throw error
    }
  }
  const { basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate } = base
  const model = useForm({
    schema: changeSettings.body,
    mutation: { mutateAsync: save },
    initial: { basePay, onsiteHourlyPay: onsiteHourlyPay ?? undefined, taxRate, payFrequency, uiRate },
  })
  const day = dayOf(model.values)
  const effective = valuesOn(base, day)
  const isTouched = (name: (typeof settingsFields)[number]['name']) => (model.values[name] ?? null) !== effective[name]
  const isChanged = settingsFields.some(({ name }) => isTouched(name))
  const set = (name: string, value: unknown) => {
    model.set(name, value)
    if (name !== 'effectiveFrom') return
    // Untouched fields show the settings of the selected day.
    const then = valuesOn(base, dayOf({ effectiveFrom: value }))
    for (const field of settingsFields) if (!isTouched(field.name)) model.set(field.name, then[field.name] ?? undefined)
  }
  const keepMine = () => {
    if (theirs) version.current = theirs.version
    setTheirs(undefined)
    void model.submit()
  }
  const foot = (
    <div className={styles.foot}>
      <span className={styles.proof}>
        <Icon of={IconFingerprint} />
        Requires your passkey
      </span>
      <Button type="submit" loading={model.isSending} disabled={!isChanged}>
        Save
      </Button>
    </div>
  )
  return (
    <>
      <FormBody model={{ ...model, set }} foot={foot}>
        <div className={styles.fields}>
          <FigureField label="Base pay" name="basePay" decimals={4} hint="Default gross pay per session, in dollars." />
          <FigureField
            label="On-site hourly pay"
            name="onsiteHourlyPay"
            decimals={4}
            isOptional={effective.onsiteHourlyPay === null}
            hint={
              effective.onsiteHourlyPay === null
                ? 'Gross pay per hour of an on-site session, in dollars. On-site sessions are paid automatically from the day this is first set. For earlier ones, use “Add pay” on the earner.'
                : 'Gross pay per hour of an on-site session, in dollars.'
            }
          />
          <RateField
            label="Tax rate"
            name="taxRate"
            hint="Flat provisional withholding rate for new entries. The tax audit compares it with the tax tables."
          />
          <ChoiceField
            label="Pay frequency"
            name="payFrequency"
            options={frequencies}
            hint="Applies to future pay periods. Periods that have already started do not change."
          />
          <RateField label="Employer UI rate" name="uiRate" hint="From your California UI rate notice (DE 2088)." />
          <DayField
            label="Effective from"
            name="effectiveFrom"
            min={today()}
            max={addDays(today(), MAX_DAYS_AHEAD)}
            hint={
              effective.effectiveFrom > today()
                ? `The form shows the change scheduled for ${dayText(effective.effectiveFrom)}.`
                : 'Leave empty for today. Changes never affect the past.'
            }
          />
        </div>
      </FormBody>
      {theirs && (
        <SettingsConflict
          base={effective}
          saved={theirs}
          theirs={valuesOn(theirs, day)}
          mine={{
            ...effective,
            ...(changedFields(effective, model.values as SettingsChange) as Partial<SettingsValues>),
          }}
          onMine={keepMine}
          onTheirs={() => onRestart(theirs)}
          onClose={() => setTheirs(undefined)}
        />
      )}
      <LeaveGuard isDirty={isChanged && !model.isSending} />
    </>
  )
}
