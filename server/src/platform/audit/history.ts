import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Work } from '../db/work.ts'
import type { AuditSubject } from './audit-areas.ts'

/** How the history shows a field of the audit log. A contract's list of fields has these properties. */
export interface HistoryField {
  readonly name: string
  readonly label: string
  /** Shows that it changed, without its values. */
  readonly isTooLarge?: true
  /** The parts of a value in words, if it has the form of today. The history shows those that changed, unless they are too many. */
  parts?(value: unknown): readonly string[] | undefined
  readonly kind?: 'phone' | 'day' | 'flag' | 'moment' | 'money'
  /** Words for machine values, also inside lists. */
  readonly choiceLabels?: Readonly<Record<string, string>>
  /** For values that are ids of other records: a select of `id` and `name` of the records with these ids. */
  readonly names?: (ids: readonly number[]) => RawBuilder<unknown>
}

/** What the history needs to know of a record. */
export interface RecordNow {
  name: string
  /** When the personal data of the record were erased. */
  erasedAt?: Date | null
  /** The time zone of its moments. Default: the company's. */
  zone?: string
  /** What its fields hold now, for those that can be restored. */
  values: Readonly<Record<string, unknown>>
}

type Values = Readonly<Record<string, unknown>>

/** A call that restores earlier values of some fields. The permission and the rules of that call hold. */
export interface Restore {
  call: CallDefinition
  fields: readonly string[]
  /** What to send for a record, given the values to restore and those it has now. */
  input(id: string, values: Values, now: Values): { params?: object; body: object }
  /** False for a value that needs more than this call. */
  fits?(value: unknown, now: unknown): boolean
  /** What else happens, by field: who gets an email. */
  effects?: Readonly<Record<string, string>>
}

/** What an action changed, as the audit log has it. */
export interface ActionFacts {
  before: Values
  after: Values
}

/** A call that takes an action back. The permission and the rules of that call hold. */
interface ByCall {
  call: CallDefinition
  /** What to send for a record, given what the action changed and the values that the record has now. */
  input(id: string, facts: ActionFacts, now: Values): { params?: object; body?: object }
}

export type TakingBack = Pick<Work, 'db' | 'now' | 'audit' | 'publish'> & { worker: { workerId: number } }

/** What takes an action back, where no call does. */
export interface TakeBack {
  /** The call of the action. Who may not send it may not take it back. */
  call: CallDefinition
  /** `by` did the action. False when it is too late: the record, or what it belongs to, is no longer as it was left. */
  takeBack(work: TakingBack, id: number, facts: ActionFacts, by: number | null): Promise<boolean>
}

/** How an action is taken back. */
export type Opposite = (ByCall | TakeBack) & {
  /** Whether the record is still as the action left it. */
  fits(now: Values, facts: ActionFacts): boolean
  /** What else happens: who gets an email. */
  effect?: string
}

/** A kind of record with a history. An area registers its kinds in `area.ts`; `auditAreas` says who may read them. */
export interface RecordHistory {
  subject: AuditSubject
  /** Undefined when there is no such record. */
  read(db: Db, id: string): Promise<RecordNow | undefined>
  fields: readonly HistoryField[]
  /**
   * What each action says after the name of who did it. `CHANGED` names the changed fields. Actions that are not
   * listed are left out.
   */
  actions: Readonly<Record<string, string>>
  restores: readonly Restore[]
  /** Actions that are undone by an opposite action, instead of restoring the fields that they changed. */
  opposites?: Readonly<Record<string, Opposite>>
  /** Actions that deleted the record. It comes back as it was, with its id. */
  recoveries?: Readonly<Record<string, TakeBack>>
  /** There is one record of this kind, and the audit log names it without an id. */
  isSingle?: true
  /** Records of this kind belong to one worker and have no drawer. Their changes are undone in the message. */
  isOwn?: true
}

/** The id of the record of a kind that has only one. */
export const SINGLE_ID = 'one'

/** Says which fields an action changed: `changed the email`, `changed 2 details`. */
export const CHANGED = 'changed'

/** Forgets personal values of erased records. `ids` selects record ids. */
export const eraseAuditValues = (subject: AuditSubject, ids: RawBuilder<unknown>) =>
  sql`delete from audit_values where subject = ${subject} and subject_id in (select id::text from (${ids}) erased(id))`

/** Names of workers, for fields that hold a worker's id. */
export const workerNames = (ids: readonly number[]) =>
  sql`select id, name from workers where id = any(${ids}::bigint[])`

/** The id of a numbered record; 0 for any other text, which no record has. */
export const numericId = (id: string) => (/^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0)
