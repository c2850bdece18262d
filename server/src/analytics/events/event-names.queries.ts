import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export type NameKind = 'action' | 'path'

/** Maps action types and paths to ids and back. Ids never change, so the cache stays valid. */
export class EventNames {
  readonly #ids = { action: new Map<string, number>(), path: new Map<string, number>() }
  readonly #names = { action: new Map<number, string>(), path: new Map<number, string>() }
  #latest = 0

  idOf = (kind: NameKind, name: string) => this.#ids[kind].get(name)
  nameOf = (kind: NameKind, id: number) => this.#names[kind].get(id)
  has = (kind: NameKind, id: number) => this.#names[kind].has(id)
  count = (kind: NameKind) => this.#ids[kind].size

  /** Loads the names added since the last refresh. */
  async refresh(db: Db): Promise<void> {
    const rows = await db
      .selectFrom('event_names')
      .select(['id', 'kind', 'name'])
      // Ids are assigned before they are committed, so the newest ones are read again.
      .where('id', '>', this.#latest - 1000)
      .execute()
    for (const { id, kind, name } of rows) {
      this.#ids[kind].set(name, id)
      this.#names[kind].set(id, name)
      this.#latest = Math.max(this.#latest, id)
    }
  }

  /** Assigns ids to new names. Only the roller does this, so that ids stay dense. */
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

const MAX_CACHED_USERS = 2_000_000

/** The dense numbers of customers and workers. */
export class EventUsers {
  readonly #nums = new Map<number, number>()

  /** The number of a person; undefined when no one was signed in. */
  numOf = (ref: number) => (ref === 0 ? undefined : this.#nums.get(ref))

  async ensure(db: Db, refs: Iterable<number>): Promise<void> {
    if (this.#nums.size > MAX_CACHED_USERS) this.#nums.clear()
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

/** The cached names and people of one process. Discarded when a transaction that added to it rolls back. */
export interface Dictionary {
  names: EventNames
  users: EventUsers
}

export const makeDictionary = (): Dictionary => ({ names: new EventNames(), users: new EventUsers() })
