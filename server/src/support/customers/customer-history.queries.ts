import { contactFields } from '@limber/contract/support/customers/account.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

export const customerHistory: RecordHistory = {
  subject: 'customer',
  async read(db, id) {
    const customer = await db
      .selectFrom('customers')
      .select(['first_name', 'last_name', 'erased_at'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return customer && { name: `${customer.first_name} ${customer.last_name}`, erasedAt: customer.erased_at }
  },
  fields: [...contactFields, { name: 'credits', label: 'Credits' }],
  actions: {
    contact_corrected: CHANGED,
    credits_adjusted: CHANGED,
    customer_noted: 'added a note',
    customer_blocked: 'blocked the account',
    customer_unblocked: 'unblocked the account',
    verification_sent: 'sent the verification email again',
    customers_merged: 'merged a duplicate into this account',
    customer_exported: "exported the customer's data",
    customer_erased: 'erased the customer',
  },
}
