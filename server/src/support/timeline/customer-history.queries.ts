import { pickFields } from '@limber/contract/kit/fields.ts'
import {
  adjustCredits,
  type ContactChange,
  contactFieldNames,
  contactFields,
  correctContact,
  unblockUser,
} from '@limber/contract/support/customers/account.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

const UNDONE = 'Undone'

export const customerHistory: RecordHistory = {
  subject: 'customer',
  async read(db, id) {
    const customer = await db
      .selectFrom('customers')
      .select([...contactFieldNames, 'credits', 'blocked_at', 'erased_at'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    if (!customer) return
    const { erased_at: erasedAt, ...values } = customer
    return { name: `${customer.first_name} ${customer.last_name}`, erasedAt, values }
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
  restores: [
    {
      ...{ call: correctContact, fields: contactFieldNames },
      input: (id, values, now) => ({
        params: { id },
        body: { ...pickFields(contactFields, now as ContactChange), ...values, reason: 'Restored an earlier value' },
      }),
      effects: { email: 'An email to the present address says that the address was changed.' },
    },
  ],
  opposites: {
    customer_blocked: {
      call: unblockUser,
      input: (id) => ({ params: { id }, body: { reason: UNDONE } }),
      fits: ({ blocked_at }) => blocked_at !== null,
    },
    credits_adjusted: {
      call: adjustCredits,
      input: (id, { before, after }) => ({
        params: { id },
        body: { delta: Number(before.credits) - Number(after.credits), reason: UNDONE },
      }),
      // A balance that moved on is corrected by hand.
      fits: ({ credits }, { after }) => credits === after.credits,
    },
  },
}
