import { sql } from 'kysely'
import { eraseAuditValues } from '#platform/audit/history.ts'
import type { Erased } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'

/** Removes the personal data of an erased customer. */
export const eraseStretcher = ({ ids, address }: Erased) => [
  eraseAuditValues('stretcher', sql`select id from stretchers where customer_id = any(${ids}::bigint[])`),
  sql`update stretchers set first_name = 'Erased', last_name = 'Stretcher', email = ${address}, date_of_birth = null,
      deactivated_reason = null, version = version + 1
    where customer_id = any(${ids}::bigint[])`,
]

/** The stretcher always has the email of the account. */
export const updateStretcherEmail = (db: Db, id: number, email: string) =>
  db.updateTable('stretchers').set({ email }).where('customer_id', '=', id).execute()

export const findStretcherOf = (db: Db, customerId: number) =>
  db.selectFrom('stretchers').select('id').where('customer_id', '=', customerId).executeTakeFirst()
