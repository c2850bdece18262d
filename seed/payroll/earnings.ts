import { addDays } from '@limber/contract/kit/days.ts'
import { periodOf } from '@limber/server/payroll/entries/period.rules.ts'
import { readAmount } from '@limber/server/payroll/tax/amount.rules.ts'
import type { Random } from '../random.ts'
import { type PayTerms, settingOn } from './earner.ts'
import { type Earning, MANUAL_ENTRY } from './entry.ts'

interface Session {
  id: number
  work_date: string
}

const cents = (amount: number) => BigInt(Math.round(amount * 100)) * 100n
const earning = (
  type: Earning['type'],
  work_date: string,
  amount: bigint,
  sub_type: string | null = null,
): Earning => ({
  type,
  sub_type,
  work_date,
  amount,
  booking_id: null,
  onsite_session_id: null,
})

/** A stretcher's sessions at the base pay of the day, and other pay of each pay period. */
export function earnStretcher(random: Random, sessions: readonly Session[], terms: PayTerms): Earning[] {
  const all: Earning[] = sessions.map(({ id, work_date }) => ({
    ...earning('session', work_date, readAmount(settingOn(terms, work_date).base_pay)),
    booking_id: id,
  }))
  const periods = Map.groupBy(sessions, ({ work_date }) => periodOf(work_date, 'biweekly').ends_on)
  for (const [end, own] of periods) {
    const day = end < terms.today ? end : terms.today
    all.push(earning('break_time_pay', day, cents(own.length * 1.85)))
    all.push(earning('mileage', day, cents(own.length * random.integer(4, 11) * 0.725)))
    if (random.chance(0.05)) all.push(earning('sick_pay', day, cents(random.integer(1, 3) * 84)))
    if (random.chance(0.07)) all.push(earning('expense_reimbursement', day, cents(random.between(8, 90)), 'supplies'))
    if (own.length > 24 && random.chance(0.2))
      all.push(earning('bonus', day, cents(random.integer(2, 8) * 25), 'busy weeks'))
  }
  return all
}

/** On-site sessions at the hourly rate of the day. Sessions before there was a rate are not paid here. */
export const earnOnsite = (onsiteSessions: readonly (Session & { hours: number })[], terms: PayTerms): Earning[] =>
  onsiteSessions.flatMap(({ id, work_date, hours }) => {
    const { onsite_hourly_pay } = settingOn(terms, work_date)
    if (onsite_hourly_pay === null) return []
    const amount = readAmount(onsite_hourly_pay) * BigInt(hours)
    return [{ ...earning('session', work_date, amount, 'on-site'), onsite_session_id: id }]
  })

// Dollars per two weeks.
const payByRole: Record<string, number> = {
  Owner: 8600,
  Operations: 3250,
  'Support Lead': 2700,
  'Support Agent': 1980,
  Marketing: 2650,
  Growth: 2800,
  Finance: 3400,
  Tech: 4150,
}

/** A worker's pay every two weeks since the first day, with occasional bonuses. */
export function earnStaff(random: Random, role: string, since: string, terms: PayTerms, history: number): Earning[] {
  const all: Earning[] = []
  const amount = payByRole[role] ?? 2000
  let period = periodOf(addDays(terms.today, -history), 'biweekly')
  while (period.ends_on <= terms.today) {
    if (period.starts_on >= since) {
      all.push(earning('commission', period.ends_on, cents(amount), 'base'))
      if (random.chance(0.06))
        all.push(earning('bonus', period.ends_on, cents(random.integer(2, 12) * 50), 'target met'))
      if (random.chance(0.08))
        all.push(earning('expense_reimbursement', period.ends_on, cents(random.between(12, 220)), 'travel'))
    }
    period = periodOf(addDays(period.ends_on, 1), 'biweekly')
  }
  return all
}

/** Adds a session of the latest pay a second time, as a manual entry. */
export function duplicateSession(earnings: readonly Earning[], latest: string): Earning[] {
  const session = earnings.find(
    ({ type, work_date, booking_id }) =>
      type === 'session' && booking_id !== null && periodOf(work_date, 'biweekly').pay_date === latest,
  )
  return session ? [...earnings, { ...session, sub_type: MANUAL_ENTRY, booking_id: null }] : [...earnings]
}
