import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { refuseBy } from '#platform/http/refusal.ts'
import type { Caller } from '#platform/http/routes.ts'

type OwnerCall = CallDefinition & { refusals: { not_owner: unknown } }

/** Refuses everyone but Owners. */
export function requireOwner(call: OwnerCall, worker: Pick<Caller, 'role'>): void {
  if (worker.role !== 'Owner') throw refuseBy(call, 'not_owner')
}
