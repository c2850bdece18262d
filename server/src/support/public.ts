/** Support stores the zone of each customer; businesses updates it when a zone changes. */

/** Accounts of stretchers, and releasing a stretcher's bookings when one leaves. */
export {
  findLivingAccount,
  lockAccount,
  openAccount,
  releaseBookings,
  renameAccount,
} from './customers/account.queries.ts'
export { findCustomersNear, moveCustomers } from './customers/customer-zone.queries.ts'
/** Requires a passkey when one worker writes to many people, at once or in several sends. */
export { checkMailed } from './customers/needs-passkey.ts'
export { removeUnusedAccount } from './customers/unused-account.queries.ts'
/** Seals the email log with the current key. */
export { resealEmails } from './email-log/reseal-emails.ts'
/** Plain text as the HTML part of an email. */
export { asHtml, escapeHtml } from './inbox/mail-text.rules.ts'
/** Bulk email with one-click unsubscribe and a sealed copy in the email log. */
export { mailMany } from './notifications/mail-many.ts'
