/** Support stores the zone of each customer; businesses updates it when a zone changes. */

/** Accounts of stretchers, and releasing a stretcher's bookings when one leaves. */
export {
  createCustomer,
  findCustomerByEmail,
  lockCustomerByEmail,
  releaseBookings,
  renameCustomer,
} from './customers/customer-account.queries.ts'
export { findCustomersNear, moveCustomers } from './customers/customer-zone.queries.ts'
export { deleteUnusedCustomer } from './customers/unused-customer.queries.ts'
/** Seals the email log with the current key. */
export { resealEmails } from './email-log/reseal-emails.ts'
/** Plain text as the HTML part of an email. */
export { type BulkFooter, composeBulk } from './inbox/email-html.rules.ts'
/** Requires a passkey when one worker writes to many people, at once or in several sends. */
export { checkBulkLimit } from './limits/needs-passkey.ts'
/** Bulk email with one-click unsubscribe and a sealed copy in the email log. */
export { sendBulkEmail } from './notifications/send-bulk-email.ts'
/** Accounts of people that another system sends, by the rules of customers. */
export { type Account, type Contact, createAccounts, lockAccounts } from './sync/contact-sync.queries.ts'
export { applyContact, saveContacts } from './sync/contact-sync.ts'
