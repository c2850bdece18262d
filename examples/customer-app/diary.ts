import type { Random } from './random.ts'
import type { Change, Customer, Moment, Resource } from './records.ts'
import type { State } from './state.ts'

/** A time of day in California, in winter. Minutes may be negative: the days before. */
export const timeOf = (day: string, minutes: number) =>
  new Date(Date.parse(`${day}T08:00:00Z`) + Math.round(minutes) * 60_000).toISOString()

/** One day as it is being planned: what happens, and what the books will then say. */
export class Diary {
  readonly day: string
  readonly random: Random
  readonly moments: Moment[] = []
  readonly customers: Map<string, Customer>
  readonly balances: Map<string, number>
  /** A day of long ago: its questions were answered, and its usage is not worth sending. */
  readonly isHistory: boolean

  constructor(day: string, random: Random, state: State, isHistory: boolean) {
    this.day = day
    this.random = random
    this.customers = new Map(state.records.customers)
    this.balances = new Map(state.balances)
    this.isHistory = isHistory
  }

  time(minutes: number): string {
    return timeOf(this.day, minutes)
  }

  /** Notes that records change at a time, which is also their version. */
  put<R extends Resource>(minutes: number, resource: R, ...changes: Change<R>[]): void {
    const at = this.time(minutes)
    // Usage events have no version: they never change.
    const items = resource === 'events' ? changes : changes.map((change) => ({ ...change, updated_at: at }))
    this.moments.push({ at, put: { [resource]: items } })
  }

  /** Notes that a customer used the app. */
  use(minutes: number, customer: string, action_type: string): void {
    if (this.isHistory) return
    const id = this.random.uuid()
    this.put(minutes, 'events', {
      external_id: id,
      id,
      customer,
      action_type,
      event_outcome: 'success',
      method: 'POST',
      url: `/${action_type.replaceAll('_', '-')}`,
      response_status: 200,
      response_time: this.random.between(20, 400),
      created_at: this.time(minutes),
    })
  }
}
