import { z } from 'zod'
import { defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination } from '#kit/page.ts'
import { foldCase, Id, IdText, Version } from '#kit/values.ts'

/** Maximum upload in bytes. That is room for about 600,000 addresses of normal length. */
export const MAX_UPLOAD = 16 * 1024 * 1024
/** Maximum length of an address in bytes, as mail servers count it. */
const MAX_OCTETS = 254
const MAX_LISTED_LINES = 100

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f]/

function countOctets(text: string): number {
  let count = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
  }
  return count
}

// Characters that separate parts of settings and URLs are not allowed. Otherwise `postgres://app:secret@db.example.com` and
// `MAIL=ana@example.com` would pass as addresses and store the secret in them.
const shape = /^[^\s@:/\\=<>(),;]+@[^\s@.:/\\=<>(),;?#]+(\.[^\s@.:/\\=<>(),;?#]+)+$/

/** An address as stored: trimmed, A to Z in lowercase; undefined when it does not look like an address. */
export function readAddress(text: string): string | undefined {
  // Check the length first: the pattern alone takes seconds on a hostile string.
  if (text.length > 4 * MAX_OCTETS) return undefined
  const address = foldCase(text.trim())
  if (address.length > MAX_OCTETS || !shape.test(address)) return undefined
  if (control.test(address) || !address.isWellFormed()) return undefined
  return countOctets(address) <= MAX_OCTETS ? address : undefined
}

/** Characters that never occur in a list of addresses. The file is probably not text. */
export const isBinary = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/.test(text)

export const BusinessEmail = z.object({ id: Id, email: z.string(), version: Version })
export type BusinessEmail = z.infer<typeof BusinessEmail>

const noBusiness = [404, 'This business does not exist.'] as const
const noAddress = [404, 'This address is no longer on the list.'] as const

export const listEmails = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/list',
  summary: 'The addresses that can book with a business, sorted, in pages',
  permission: 'businesses.manage',
  reads: true,
  body: z.strictObject({
    business_id: Id,
    search: z.string().max(254).default(''),
    page: z.int().min(1).max(1_000_000).default(1),
    limit: z.int().min(1).max(1000).default(200),
  }),
  reply: z.object({
    emails: z.array(BusinessEmail),
    /** Number of matches. */
    pagination: Pagination,
    /** Number of addresses on the whole list. */
    total: z.int(),
  }),
  refusals: { not_found: noBusiness },
})
export type EmailPage = ReplyOf<typeof listEmails>

export const exportEmails = exportCall(listEmails, 'allowed-emails', {
  filters: { business_id: IdText, search: z.string().max(254).default('') },
})

export const updateEmail = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/update',
  summary: 'Change one address of the list',
  permission: 'businesses.manage',
  body: z.strictObject({ email_id: Id, new_email: z.string().max(2000), version: Version.optional() }),
  reply: BusinessEmail,
  refusals: {
    invalid: [422, 'Invalid email format.'],
    not_found: noAddress,
    taken: [409, 'This address is already on the list.'],
    stale: staleRefusal('this address', BusinessEmail),
  },
})

export const deleteEmail = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/delete',
  summary: 'Delete one address from the list',
  permission: 'businesses.manage',
  body: z.strictObject({ email_id: Id }),
  reply: z.object({ id: Id }),
  refusals: { not_found: noAddress },
})

export const resetEmails = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/reset',
  summary: 'Delete all addresses of a business',
  permission: 'businesses.manage',
  stepUp: true,
  body: z.strictObject({ business_id: Id }),
  reply: z.object({ deleted: z.int() }),
  refusals: { not_found: noBusiness },
})

const UploadOutcome = z.object({
  added: z.int(),
  /** Already on the list, or repeated in the upload. */
  skipped: z.int(),
  invalid: z.int(),
  /** Line numbers of the first 100 invalid addresses, starting at 1. Their text is not stored. */
  invalid_lines: z.array(z.int()).max(MAX_LISTED_LINES),
})
export type UploadOutcome = z.infer<typeof UploadOutcome>

const list = z.strictObject({ business_id: Id, list: z.string() })
const uploadRefusals = {
  not_found: noBusiness,
  binary: [422, 'This is not a text file with email addresses.'],
} as const

export const uploadEmails = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/upload',
  summary: 'Add addresses to the list, one per line; existing ones stay',
  permission: 'businesses.manage',
  body: list,
  bodyLimit: MAX_UPLOAD,
  reply: UploadOutcome,
  refusals: uploadRefusals,
})

export const checkEmails = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/check',
  summary: 'Preview an upload without saving it',
  permission: 'businesses.manage',
  reads: true,
  body: list,
  bodyLimit: MAX_UPLOAD,
  reply: UploadOutcome.extend({
    /** The addresses that are already on the list, as stored. */
    known: z.array(z.string()),
  }),
  refusals: uploadRefusals,
})
