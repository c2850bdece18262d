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
import { today } from '../words.ts'
import { RateField } from './rate-field.tsx'
import { type SettingsChange, useChangeSettings } from './settings.api.ts'
import styles from './settings.module.css'
import { SettingsConflict } from './settings-conflict.tsx'
import { changedFields, type SettingsValues, settingsFields, valuesOn } from './settings-fields.ts'

const PLAN_AHEAD = 366
const frequencies = PayFrequency.options.map((value) => ({ value, label: value }))

interface Props {
  /** The settings that the person began with. */
  base: PayrollSettings
  /** Begins again with these. */
  onRestart: (settings: PayrollSettings) => void
}

/** The day that is typed, as text; today while there is none. */
const dayOf = ({ effectiveFrom }: { effectiveFrom?: unknown }) =>
  typeof effectiveFrom === 'string' ? effectiveFrom : today()

/** Editing the settings from a day on. Of two people who edit at once, the second sees both and chooses. */
export function SettingsForm({ base, onRestart }: Props) {
  const change = useChangeSettings()
  const [theirs, setTheirs] = useState<PayrollSettings>()
  const version = useRef(base.version)

  const save = async (typed: SettingsChange) => {
    const body = { ...changedFields(valuesOn(base, dayOf(typed)), typed), version: version.current }
    try {
      const saved = await change.mutateAsync(body)
      toast('Settings saved.', { detail: `They hold from ${dayText(typed.effectiveFrom ?? today())} on.` })
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
  const held = valuesOn(base, day)
  const isTouched = (name: (typeof settingsFields)[number]['name']) => (model.values[name] ?? null) !== held[name]
  const isChanged = settingsFields.some(({ name }) => isTouched(name))
  const set = (name: string, value: unknown) => {
    model.set(name, value)
    if (name !== 'effectiveFrom') return
    // What the person did not touch shows what holds on the day that is chosen.
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
        Asks for your passkey
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
          <FigureField label="basePay" name="basePay" decimals={4} hint="Default gross of one session, in dollars." />
          <FigureField
            label="On-site hourly pay"
            name="onsiteHourlyPay"
            decimals={4}
            isOptional={held.onsiteHourlyPay === null}
            hint={
              held.onsiteHourlyPay === null
                ? 'Gross of one hour of an on-site session, in dollars. On-site sessions are paid from the day it is first set; earlier ones by “Add pay” of the earner.'
                : 'Gross of one hour of an on-site session, in dollars.'
            }
          />
          <RateField
            label="taxRate"
            name="taxRate"
            hint="Flat provisional rate at which tax is withheld when an entry is made; the audit compares it with the law."
          />
          <ChoiceField
            label="Pay frequency"
            name="payFrequency"
            options={frequencies}
            hint="How long the coming pay periods are; those that began stay as they are."
          />
          <RateField
            label="Employer UI rate"
            name="uiRate"
            hint="The rate on the employer's own notice of California UI."
          />
          <DayField
            label="Holds from"
            name="effectiveFrom"
            min={today()}
            max={addDays(today(), PLAN_AHEAD)}
            hint={
              held.effectiveFrom > today()
                ? `Filled in is what is planned from ${dayText(held.effectiveFrom)} on.`
                : 'Today unless a later day is chosen. The past keeps its settings.'
            }
          />
        </div>
      </FormBody>
      {theirs && (
        <SettingsConflict
          base={held}
          saved={theirs}
          theirs={valuesOn(theirs, day)}
          mine={{ ...held, ...(changedFields(held, model.values as SettingsChange) as Partial<SettingsValues>) }}
          onMine={keepMine}
          onTheirs={() => onRestart(theirs)}
          onClose={() => setTheirs(undefined)}
        />
      )}
      <LeaveGuard isDirty={isChanged && !model.isSending} />
    </>
  )
}
