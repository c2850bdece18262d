import { fromLimber } from './act.ts'
import type { Client, Listed } from './client.ts'
import type { Customer } from './records.ts'
import type { State } from './state.ts'

/** A change that was being written while we asked may carry a slightly earlier time. */
const OVERLAP = 60_000

/** Reads the customers that changed in Limber since the last time. Those that are gone come as tombstones. */
export async function pullCustomers(client: Client, state: State): Promise<number> {
  const changed: Listed[] = []
  const since = state.pulledUntil && new Date(Date.parse(state.pulledUntil) - OVERLAP).toISOString()
  for await (const record of client.walk('customers', since)) changed.push(record)
  const ours = changed.map((record) => ({ record, id: client.ourId(record) ?? '' })).filter(({ id }) => id)
  // First the tombstones: an account that was kept has the credits of those merged into it.
  state.write({ learned: ours.filter(({ record }) => record.deleted_at).map((each) => goneCustomer(ours, each)) })
  const present = ours.filter(({ record }) => !record.deleted_at)
  const learned = present.map(({ id, record }) => ({ external_id: id, ...fromLimber(state, id, record) }))
  const times = changed.map((each) => each.updated_at ?? each.deleted_at ?? '')
  const pulledUntil = times.toSorted().at(-1)
  state.write({ learned, ...(pulledUntil && { pulledUntil }) })
  return ours.length
}

interface Ours {
  id: string
  record: Listed
}

function goneCustomer(all: readonly Ours[], { id, record }: Ours): Pick<Customer, 'external_id' | 'limber'> {
  const kept = all.find((each) => each.record.id === record.merged_into)
  return {
    external_id: id,
    limber: {
      ...{ granted: 0, blocked: false, gone: record.reason ?? 'deleted' },
      ...(kept && { mergedInto: kept.id }),
    },
  }
}
