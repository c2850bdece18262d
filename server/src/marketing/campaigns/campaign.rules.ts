import { parseMoney, roundToCents, stringifyMoney } from '@limber/contract/kit/money.ts'

const DAY = 86_400_000
const MAX_DAYS = 60

const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY
const dayText = (number: number) => new Date(number * DAY).toISOString().slice(0, 10)

/** The days in the chart: at most the last sixty, up to today or the end date. */
export function shownDays(
  { start_date, end_date }: { start_date: string; end_date: string | null },
  today: string,
): { from: string; to: string } | undefined {
  const to = Math.min(dayNumber(today), dayNumber(end_date ?? today))
  const from = Math.max(dayNumber(start_date), to - MAX_DAYS + 1)
  return from > to ? undefined : { from: dayText(from), to: dayText(to) }
}

/** Dollars with two decimals. */
export const dollars = (amount: string) => {
  const [whole = '0', cents = ''] = stringifyMoney(roundToCents(parseMoney(amount))).split('.')
  return `${whole}.${cents.padEnd(2, '0').slice(0, 2)}`
}

/** The maximum spend so far, and the costs per lead and per conversion. */
export function costsOf(
  campaign: { start_date: string; end_date: string | null; budget: string | null; leads: number; conversions: number },
  today: string,
) {
  const { budget, start_date, end_date, leads, conversions } = campaign
  const days = Math.min(dayNumber(today), dayNumber(end_date ?? today)) - dayNumber(start_date) + 1
  if (budget === null || days < 1) return { spent: null, cost_per_lead: null, cost_per_conversion: null }
  const spent = parseMoney(budget) * BigInt(days)
  const each = (count: number) => (count === 0 ? null : dollars(stringifyMoney(spent / BigInt(count))))
  return { spent: dollars(stringifyMoney(spent)), cost_per_lead: each(leads), cost_per_conversion: each(conversions) }
}
