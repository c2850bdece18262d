import { weekStartOf } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'

interface Range {
  label: string
  from: string
  to: string
}

const monthStartOf = (day: string) => `${day.slice(0, 7)}-01`

function quarterStartOf(day: string): string {
  const month = Number(day.slice(5, 7))
  return `${day.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
}

/** The ranges that a report is usually read for. Those that have not ended go until today. */
export function rangesOf(today: string): Range[] {
  const last = (label: string, days: number) => ({ label, from: addDays(today, 1 - days), to: today })
  const current = (label: string, startOf: (day: string) => string) => ({ label, from: startOf(today), to: today })
  const previous = (label: string, startOf: (day: string) => string) => {
    const to = addDays(startOf(today), -1)
    return { label, from: startOf(to), to }
  }
  return [
    last('Last 7 days', 7),
    last('Last 30 days', 30),
    last('Last 90 days', 90),
    current('This week', weekStartOf),
    previous('Last week', weekStartOf),
    current('This month', monthStartOf),
    previous('Last month', monthStartOf),
    current('This quarter', quarterStartOf),
    previous('Last quarter', quarterStartOf),
    current('This year', (day) => `${day.slice(0, 4)}-01-01`),
  ]
}
