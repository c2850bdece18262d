import { formatClockText, formatDay, formatWeekday } from '@limber/contract/kit/formats/dates.ts'
import { formatMinutes } from '@limber/contract/kit/formats/numbers.ts'
import { customerRanks, PromiseSettings } from '@limber/contract/support/promises/promise.ts'

// Settings in words, for the history: one text for each part that can change. Undefined for values of an older form.

const { week, holidays, targets } = PromiseSettings.shape

/** A Sunday; the week begins with it. */
const SUNDAY = 4
const weekdayOf = (place: number) => formatWeekday(`2026-01-${String(SUNDAY + place).padStart(2, '0')}`)

export const weekInWords = (value: unknown): string[] | undefined =>
  week.safeParse(value).data?.map((hours, place) => {
    const open = hours && `${formatClockText(hours.from)} to ${formatClockText(hours.to)}`
    return `${weekdayOf(place)}: ${open ?? 'closed'}`
  })

export const holidaysInWords = (value: unknown): string[] | undefined =>
  holidays.safeParse(value).data?.map(({ day, name }) => `${name} (${formatDay(day)})`)

const kinds = { first: 'First response', next: 'Next responses' } as const
const priorities = { high: 'high priority', medium: 'medium priority', low: 'low priority' } as const

export function targetsInWords(value: unknown): string[] | undefined {
  const { data } = targets.safeParse(value)
  return (
    data &&
    (['first', 'next'] as const).flatMap((kind) =>
      (['high', 'medium', 'low'] as const).flatMap((priority) =>
        customerRanks.map((rank) => {
          const minutes = data[kind][priority][rank]
          return `${kinds[kind]}, ${priorities[priority]}, ${rank}: ${minutes === null ? 'none' : formatMinutes(minutes)}`
        }),
      ),
    )
  )
}
