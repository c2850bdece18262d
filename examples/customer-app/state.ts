import { appendFileSync, closeSync, fdatasyncSync, ftruncateSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Change,
  type Changes,
  type Customer,
  type Moment,
  type Records,
  type Resource,
  resources,
} from './records.ts'

/** A webhook as it came. */
export interface Received {
  id: string
  type: string
  data: Record<string, { id: number; external_ids: Record<string, string> } | undefined>
}

/** One line of the log: what happened at once, or not at all. */
export interface Entry {
  /** What will happen on the busy day. */
  plan?: Moment[]
  /** So many moments of the plan have happened. */
  played?: number
  /** So many days of the app's history have been lived. */
  daysLived?: number
  /** Our records changed. They must be sent. */
  put?: Changes
  /** Limber took our records as of this line of the log. */
  sent?: { resource: Resource; ids: string[]; line: number }
  /** Limber will not take these, and why. */
  refused?: { resource: Resource; id: string; code: string; text: string }[]
  /** Where Limber sends its webhooks. */
  endpoint?: { id: number; url: string; secret: string }
  received?: Received
  /** We acted on a webhook: what we learned, and what we told the customer. */
  acted?: { webhook: string; notice?: { customer: string; text: string } }
  learned?: (Partial<Customer> & { external_id: string })[]
  /** We know all changes of customers up to this time. */
  pulledUntil?: string
}

type Tables = { [R in Resource]: Map<string, Records[R]> }
type Unsent = { [R in Resource]: Map<string, { fields: Change<R>; line: number }> }

const emptyTables = <Tables>() => Object.fromEntries(resources.map((name) => [name, new Map()])) as Tables

/**
 * The app's own books. Every change is a line at the end of a file, written before anything else happens, so that the app
 * can be killed at any moment. On start, the lines are read again.
 */
export class State {
  readonly records = emptyTables<Tables>()
  /** Credits of each customer, by our own entries. */
  readonly balances = new Map<string, number>()
  /** Changed fields that Limber has not confirmed yet. */
  readonly unsent = emptyTables<Unsent>()
  readonly received = new Map<string, Received & { isDone: boolean }>()
  /** Ids of webhooks, in the order in which we acted on them. */
  readonly actedOn: string[] = []
  readonly notices: { customer: string; text: string }[] = []
  readonly refused: NonNullable<Entry['refused']> = []
  endpoint: Entry['endpoint']
  pulledUntil: string | undefined
  plan: Moment[] | undefined
  played = 0
  daysLived = 0
  private line = 0
  private readonly file: number

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'app.log')
    this.file = openSync(path, 'a+')
    const content = readFileSync(path)
    // A line without an end was being written when the app was killed: it did not happen.
    const end = content.lastIndexOf('\n') + 1
    ftruncateSync(this.file, end)
    for (const line of content.toString('utf8', 0, end).split('\n')) if (line) this.apply(JSON.parse(line) as Entry)
  }

  write(entry: Entry): void {
    appendFileSync(this.file, `${JSON.stringify(entry)}\n`)
    fdatasyncSync(this.file)
    this.apply(entry)
  }

  close(): void {
    closeSync(this.file)
  }

  private apply(entry: Entry): void {
    this.line++
    if (entry.plan) this.plan = entry.plan
    if (entry.daysLived !== undefined) this.daysLived = entry.daysLived
    if (entry.put) this.putAll(entry.put)
    if (entry.played !== undefined) {
      for (const { put } of this.plan?.slice(this.played, entry.played) ?? []) this.putAll(put)
      this.played = entry.played
    }
    if (entry.sent) this.settle(entry.sent)
    for (const refused of entry.refused ?? []) {
      this.refused.push(refused)
      this.unsent[refused.resource].delete(refused.id)
    }
    if (entry.endpoint) this.endpoint = entry.endpoint
    if (entry.received) this.received.set(entry.received.id, { ...entry.received, isDone: false })
    for (const fields of entry.learned ?? []) this.learn(fields)
    if (entry.acted) {
      const { webhook, notice } = entry.acted
      const received = this.received.get(webhook)
      if (received) received.isDone = true
      this.actedOn.push(webhook)
      if (notice) this.notices.push(notice)
    }
    if (entry.pulledUntil) this.pulledUntil = entry.pulledUntil
  }

  private putAll(changes: Changes): void {
    for (const { customer = '', delta = 0 } of changes.credits ?? [])
      this.balances.set(customer, (this.balances.get(customer) ?? 0) + delta)
    for (const name of resources) for (const change of changes[name] ?? []) this.put(name, change)
  }

  private put<R extends Resource>(name: R, change: Change<R>): void {
    const { updated_at: _, ...fields } = change
    const id = change.external_id
    const table: Map<string, Records[R]> = this.records[name]
    table.set(id, { ...(table.get(id) as Records[R]), ...fields })
    const waiting: Unsent[R] = this.unsent[name]
    waiting.set(id, { fields: { ...(waiting.get(id)?.fields as Change<R>), ...change }, line: this.line })
  }

  /** A record that changed after it was sent is sent again. */
  private settle({ resource, ids, line }: NonNullable<Entry['sent']>): void {
    const waiting = this.unsent[resource]
    for (const id of ids) if ((waiting.get(id)?.line ?? 0) <= line) waiting.delete(id)
  }

  /** What we have not sent yet is newer than what Limber says. */
  private learn(fields: Partial<Customer> & { external_id: string }): void {
    const known = this.records.customers.get(fields.external_id)
    if (!known) return
    const { updated_at: _, ...newer } = this.unsent.customers.get(fields.external_id)?.fields ?? {}
    this.records.customers.set(fields.external_id, { ...known, ...fields, ...newer })
  }

  /** The customer that stands for another one after a merge. */
  currentCustomer(id: string): string {
    const into = this.records.customers.get(id)?.limber?.mergedInto
    return into === undefined ? id : this.currentCustomer(into)
  }

  /** A customer's credits by our own entries, with those of customers that were merged into it. */
  balanceOf(id: string): number {
    const merged = [...this.records.customers.values()].filter(({ limber }) => limber?.mergedInto === id)
    return merged.reduce((sum, { external_id }) => sum + this.balanceOf(external_id), this.balances.get(id) ?? 0)
  }

  /** The number of the last line. */
  get position(): number {
    return this.line
  }
}
