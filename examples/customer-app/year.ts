import { planDay, planOpening } from './day.ts'
import { timeOf } from './diary.ts'
import type { Play } from './play.ts'
import { seededRandom } from './random.ts'
import { type Change, type Changes, type Moment, type PastPay, resources } from './records.ts'
import { sendChanges } from './send.ts'
import type { State } from './state.ts'

const DAYS = 365
/** What the company had when its year began. */
const FIRST_CUSTOMERS = 600
const FIRST_STRETCHERS = 24
/** Limber takes usage events of the last week. */
const USAGE_DAYS = 6
const PAY_PER_SESSION = 45

const dayAfter = (day: string, days: number) => timeOf(day, days * 24 * 60).slice(0, 10)

/** A year of the company, day by day, sent every week. */
export async function playYear({ client, state, zones, seed, day: last, customers, stretchers, print }: Play) {
  const first = dayAfter(last, 1 - DAYS)
  if (state.records.stretchers.size === 0)
    state.write({ put: planOpening(first, zones, FIRST_CUSTOMERS, FIRST_STRETCHERS, seededRandom(`${seed} opening`)) })
  while (state.daysLived < DAYS) {
    const number = state.daysLived
    const day = dayAfter(first, number)
    const share = (number + 1) / DAYS
    const random = seededRandom(`${seed} ${day}`)
    const isLast = number === DAYS - 1
    const growth = (from: number, to: number, now: number) => {
      const missing = Math.max(0, Math.round(from + (to - from) * share) - now)
      return isLast ? missing : Math.min(random.between(0, missing * 2), to - now)
    }
    const isSunday = new Date(`${day}T12:00:00Z`).getUTCDay() === 0
    const moments = planDay(
      state,
      day,
      {
        zones,
        newCustomers: growth(FIRST_CUSTOMERS, customers, state.records.customers.size),
        newStretchers: growth(FIRST_STRETCHERS, stretchers, state.records.stretchers.size),
        busy: (0.25 + 0.25 * share) * (isSunday ? 0.4 : 1),
        isHistory: number < DAYS - USAGE_DAYS,
        isLast,
      },
      random,
    )
    // Payroll starts in Limber with the last month. What was before, another system paid.
    const pay = day <= `${last.slice(0, 7)}-01` ? payHalfMonth(state, day) : []
    state.write({ daysLived: number + 1, put: { ...merge(moments), 'payroll/history': pay } })
    if (number % 7 < 6 && !isLast) continue
    const sent = await sendChanges(client, state)
    print(`${day}  ${String(sent).padStart(5)} records sent`)
  }
}

function merge(moments: readonly Moment[]): Changes {
  const all = (name: (typeof resources)[number]): Change[] =>
    moments.flatMap(({ put }) => (put[name] ?? []) as Change[])
  return Object.fromEntries(resources.map((name) => [name, all(name)]))
}

/** On the 1st and the 16th, the sessions of the two weeks before are paid. */
function payHalfMonth({ records }: State, day: string): PastPay[] {
  if (!/-(01|16)$/.test(day)) return []
  const from = day.endsWith('16') ? `${day.slice(0, 8)}01` : `${dayAfter(day, -1).slice(0, 8)}16`
  const [since, until] = [timeOf(from, 0), timeOf(day, 0)]
  const done = [...records.bookings.values()].filter(
    ({ status, starts_at }) => status === 'completed' && starts_at >= since && starts_at < until,
  )
  return [...Map.groupBy(done, ({ stretcher }) => stretcher)].map(([stretcher, sessions]) => {
    const amount = sessions.length * PAY_PER_SESSION
    return {
      external_id: `pay-${day}-${stretcher}`,
      stretcher,
      type: 'session',
      amount: amount.toFixed(2),
      withheld: (amount * 0.18).toFixed(2),
      employer_tax: (amount * 0.0765).toFixed(2),
      work_date: dayAfter(day, -1),
      pay_date: dayAfter(day, 4),
    }
  })
}
