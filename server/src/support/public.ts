/** Which zone a customer's address lies in is kept with the customer; businesses say so when a zone changes. */

/** The account behind a stretcher, and the bookings that wait for another when one leaves. */
export {
  findLivingAccount,
  lockAccount,
  openAccount,
  releaseBookings,
  renameAccount,
} from './customers/account.queries.ts'
export { findCustomersNear, moveCustomers } from './customers/customer-zone.queries.ts'
/** Asks for a passkey when one worker writes to many, in one go or in several. */
export { checkMailed } from './customers/needs-passkey.ts'
export { removeUnusedAccount } from './customers/unused-account.queries.ts'
/** Seals the e-mail log with today's key. */
export { resealEmails } from './email-log/reseal-emails.ts'
/** Plain text as the HTML part of a mail. */
export { asHtml, escapeHtml } from './inbox/mail-text.rules.ts'
/** Mail to many people, with one click to leave and a sealed copy in the e-mail log. */
export { mailMany } from './notifications/mail-many.ts'
