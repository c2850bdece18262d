import type { CallDefinition, CurrentInputOf, RefusalOf } from '@limber/contract/kit/call.ts'
import { refuseBy } from './refusal.ts'

type StaleCall = CallDefinition & { refusals: { stale: unknown } }
type Versioned = { version: number }
type Show<C extends CallDefinition, R> = (row: R) => CurrentInputOf<C, 'stale'> | Promise<CurrentInputOf<C, 'stale'>>

/**
 * Returns the row that `find` locked, for a change based on the version `seen`. Refuses with `not_found` when it is
 * missing, and with `stale` and the current record from `show` when its version differs. Without a version, nothing is
 * compared.
 */
export async function loadForUpdate<
  C extends StaleCall,
  R extends Versioned | ('not_found' extends RefusalOf<C> ? undefined : never),
>(call: C, find: Promise<R>, seen: number | undefined, show: Show<C, NonNullable<R>>): Promise<NonNullable<R>> {
  const row = await find
  if (!row) throw refuseBy(call, 'not_found')
  await checkVersion(call, row, seen, show)
  return row
}

/** The same for a row that is already locked. */
export async function checkVersion<C extends StaleCall, R extends Versioned>(
  call: C,
  row: R,
  seen: number | undefined,
  show: Show<C, R>,
): Promise<void> {
  if (seen !== undefined && seen !== row.version) throw refuseBy(call, 'stale', { current: await show(row) })
}
