import type { Person } from '#platform/audit/audit-person.ts'
import type { Work } from '#platform/db/work.ts'
import type { Caller } from '#platform/http/routes.ts'
import { checkCreditLimit } from '../limits/needs-passkey.ts'
import { insertCredit, type LockedCustomer } from './account-action.queries.ts'

/** What an audit row says about an action on an account. */
export const auditFacts = (customer: Person & { id: number }, reason: string, ...others: Person[]) => ({
  ...{ subject: 'customer' as const, subjectId: customer.id },
  ...{ reason, people: [customer, ...others] },
})

type CreditWork = Pick<Work, 'db' | 'now' | 'audit' | 'publish' | 'emit'> & { worker: Caller }

/** Adds or removes credits of a locked account. Returns the balance; undefined when there are too few to remove. */
export async function changeCredits(
  { db, now, worker, audit, publish, emit }: CreditWork,
  customer: LockedCustomer,
  delta: number,
  reason: string,
): Promise<number | undefined> {
  const { id } = customer
  const credits = customer.credits + delta
  if (credits < 0) return undefined
  await checkCreditLimit(db, worker, delta, now)
  await insertCredit(db, { customer_id: id, delta, worker_id: worker.workerId, reason, created_at: now })
  audit({
    action: 'credits_adjusted',
    ...auditFacts(customer, reason),
    before: { credits: customer.credits },
    after: { credits },
  })
  emit({ type: 'credits.changed', of: 'customer', ids: { customer: id }, facts: { delta, balance: credits } })
  publish('customers', { customer: id })
  return credits
}
