import { addDays } from '@limber/contract/kit/days.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Day } from '@limber/contract/kit/values.ts'
import type { changeSettings, PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'
import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { currentOf } from '#platform/api/call-failure.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { LeaveGuard } from '#ui/form/leave-guard.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { dayText } from '#ui/format/day-text.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { today } from '../labels.ts'
import { settingsKey, useChangeSettings } from './settings.api.ts'
import styles from './settings.module.css'

const FIRST_START = '2000-01-01'
const MAX_DAYS_AHEAD = 366

// An empty date clears the day.
const StartInput = z.object({ starts_on: Day.optional() })

/** What a change of the day does to sessions without an entry; undefined when it makes no wages. */
function consequence(before: string | null, after: string | undefined): string | undefined {
  if ((after ?? null) === before) return undefined
  if (!after)
    return 'Without a start date, the next hourly run creates an entry for every completed session that has none.'
  return before === null || after < before
    ? `The next hourly run creates an entry for every completed session since ${dayText(after)} that has none. Sessions that were paid elsewhere would be paid twice.`
    : undefined
}

/** The day on which payroll starts: one value for the company, without an effective date. */
export function StartForm({ settings }: { settings: PayrollSettings }) {
  const change = useChangeSettings()
  const cache = useQueryClient()
  const { starts_on, start_changes, late_bookings, version } = settings
  const save = async (typed: z.input<typeof StartInput>) => {
    try {
      const saved = await change.mutateAsync({ starts_on: typed.starts_on ?? null, version })
      toast(saved.starts_on ? `Payroll starts on ${dayText(saved.starts_on)}.` : 'Payroll has no start date.')
    } catch (error) {
      const current = currentOf<typeof changeSettings>(error)
      if (current) {
        cache.setQueryData(settingsKey, current)
        toastFailure("Couldn't save the start date", error)
      }
      throw error
    }
  }
  const model = useForm({
    schema: StartInput,
    mutation: { mutateAsync: save },
    initial: starts_on ? { starts_on } : {},
  })
  const typed = typeof model.values.starts_on === 'string' ? model.values.starts_on : undefined
  const isChanged = (typed ?? null) !== starts_on
  const warning = consequence(starts_on, typed)
  const [last] = start_changes
  const foot = (
    <div className={styles.foot}>
      {last && (
        <span className={styles.since}>
          changed {momentText(last.changedAt)}
          {last.changedBy && ` by ${last.changedBy}`}
        </span>
      )}
      <span className={styles.proof}>
        <Icon of={IconFingerprint} />
        Requires your passkey
      </span>
      <Button type="submit" loading={model.isSending} disabled={!isChanged}>
        Save start date
      </Button>
    </div>
  )
  return (
    <div className={styles.late}>
      {late_bookings > 0 && (
        <Banner kind="amber">
          {pluralize(late_bookings, 'booking')} arrived after the pay date and {late_bookings === 1 ? 'is' : 'are'} not
          paid until a start date is set.
        </Banner>
      )}
      <FormBody model={model} foot={foot}>
        <div className={styles.start}>
          <DayField
            label="Payroll starts on"
            name="starts_on"
            min={FIRST_START}
            max={addDays(today(), MAX_DAYS_AHEAD)}
          />
          <div className={styles.explained}>
            <p>
              Bookings and on-site sessions before this day are not paid through payroll. Set it to the first day that
              you pay through Limber, before you connect or import old bookings.
            </p>
            <p>
              Saving never changes existing payroll entries. Without a start date, all sessions are paid, except
              bookings that another system sends after their pay date.
            </p>
            {warning && <p className={styles.warning}>{warning}</p>}
          </div>
        </div>
      </FormBody>
      <LeaveGuard isDirty={isChanged && !model.isSending} />
    </div>
  )
}
