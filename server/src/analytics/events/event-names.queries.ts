import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export type NameKind = 'action' | 'path'

/** The numbers of action types and paths, and back. Numbers are never changed, so what was read once stays true. */
export class EventNames {
  readonly #ids = { action: new Map<string, number>(), path: new Map<string, number>() }
  readonly #names = { action: new Map<number, string>(), path: new Map<number, string>() }
  #latest = 0

  idOf = (kind: NameKind, name: string) => this.#ids[kind].get(name)
  nameOf = (kind: NameKind, id: number) => this.#names[kind].get(id)
  has = (kind: NameKind, id: number) => this.#names[kind].has(id)
  count = (kind: NameKind) => this.#ids[kind].size

  /** Reads what was added since the last look. */
  async refresh(db: Db): Promise<void> {
    const rows = await db
      .selectFrom('event_names')
      .select(['id', 'kind', 'name'])
      // Ids are given out before they are committed: the newest few are read again.
      .where('id', '>', this.#latest - 1000)
      .execute()
    for (const { id, kind, name } of rows) {
      this.#ids[kind].set(name, id)
      this.#names[kind].set(id, name)
      this.#latest = Math.max(this.#latest, id)
    }
  }

  /** Gives a number to each name that has none. Only the roller does, so numbers stay dense. */
  async ensure(db: Db, kind: NameKind, names: Iterable<string>): Promise<void> {
    if ([...names].every((name) => this.#ids[kind].has(name))) return
    await this.refresh(db)
    const unknown = [...new Set(names)].filter((name) => !this.#ids[kind].has(name))
    if (unknown.length === 0) return
    await db
      .insertInto('event_names')
      .values(unknown.map((name) => ({ kind, name })))
      .onConflict((clash) => clash.doNothing())
      .execute()
    await this.refresh(db)
  }
}

const USERS_KEPT = 2_000_000

/** The dense numbers of people. */
export class EventUsers {
  readonly #nums = new Map<number, number>()

  /** The number of a person; nobody has none. */
  numOf = (ref: number) => (ref === 0 ? undefined : this.#nums.get(ref))

  async ensure(db: Db, refs: Iterable<number>): Promise<void> {
    if (this.#nums.size > USERS_KEPT) this.#nums.clear()
    const missing = new Set<number>()
    for (const ref of refs) if (ref !== 0 && !this.#nums.has(ref)) missing.add(ref)
    if (missing.size === 0) return
    const unknown = [...missing]
    const { rows } = await sql<{ ref: number; num: number }>`
      with wanted as (select distinct unnest(${unknown}::bigint[]) as ref),
      added as (
        insert into event_users (ref) select ref from wanted where not exists (select from event_users u where u.ref = wanted.ref)
        on conflict do nothing returning ref, num)
      select ref, num from added
      union all select u.ref, u.num from event_users u join wanted on wanted.ref = u.ref`.execute(db)
    for (const { ref, num } of rows) this.#nums.set(ref, num)
  }
}

/** What one process knows of names and people; thrown away when a transaction that added to it is rolled back. */
export interface Dictionary {
  names: EventNames
  users: EventUsers
}

export const makeDictionary = (): Dictionary => ({ names: new EventNames(), users: new EventUsers() })
