import { z } from 'zod'
import { defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Pagination } from '#kit/page.ts'
import { foldCase, Id, IdText, Version } from '#kit/values.ts'

/** Bytes of an upload; an address of usual length leaves room for some six hundred thousand. */
export const MAX_UPLOAD = 16 * 1024 * 1024
/** Octets of an address, as mail servers count them. */
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

// What separates the parts of settings and web addresses is in nobody's address: `postgres://app:secret@db.example.com` and
// `MAIL=ana@example.com` must not pass for one, and with them what they hide.
const shape = /^[^\s@:/\\=<>(),;]+@[^\s@.:/\\=<>(),;?#]+(\.[^\s@.:/\\=<>(),;?#]+)+$/

/** An address as the list keeps it: trimmed, A to Z folded; nothing when it does not look like one. */
export function readAddress(text: string): string | undefined {
  // The length comes first: the pattern alone takes seconds on a hostile string.
  if (text.length > 4 * MAX_OCTETS) return undefined
  const address = foldCase(text.trim())
  if (address.length > MAX_OCTETS || !shape.test(address)) return undefined
  if (control.test(address) || !address.isWellFormed()) return undefined
  return countOctets(address) <= MAX_OCTETS ? address : undefined
}

/** Text that no file of addresses has: most likely the file is not text at all. */
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
  summary: 'The addresses that may book with a business, in order, a page at a time',
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
    /** Of the matches. */
    pagination: Pagination,
    /** Of the whole list. */
    total: z.int(),
  }),
  refusals: { not_found: noBusiness },
})
export type EmailPage = ReplyOf<typeof listEmails>

export const exportEmails = defineCall({
  method: 'GET',
  path: '/api/businesses/:id/emails/export',
  summary: 'The whole list of a business as CSV, in order',
  permission: 'businesses.manage',
  params: z.strictObject({ id: IdText }),
  reply: z.unknown(),
  replyType: 'stream',
  refusals: { not_found: noBusiness },
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
  summary: 'Take one address off the list',
  permission: 'businesses.manage',
  body: z.strictObject({ email_id: Id }),
  reply: z.object({ id: Id }),
  refusals: { not_found: noAddress },
})

export const resetEmails = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/reset',
  summary: 'Empty the list of a business',
  permission: 'businesses.manage',
  stepUp: true,
  body: z.strictObject({ business_id: Id }),
  reply: z.object({ deleted: z.int() }),
  refusals: { not_found: noBusiness },
})

const UploadOutcome = z.object({
  added: z.int(),
  /** On the list already, or twice in the upload. */
  skipped: z.int(),
  invalid: z.int(),
  /** Where the first hundred that are no addresses stand, counted from 1. What they say is not kept anywhere. */
  invalid_lines: z.array(z.int()).max(MAX_LISTED_LINES),
})
export type UploadOutcome = z.infer<typeof UploadOutcome>

const list = z.strictObject({ business_id: Id, list: z.string() })
const uploadRefusals = {
  not_found: noBusiness,
  binary: [422, 'This is not a text file with e-mail addresses.'],
} as const

export const uploadEmails = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/upload',
  summary: 'Add addresses to the list, one a line; those on it stay',
  permission: 'businesses.manage',
  body: list,
  bodyLimit: MAX_UPLOAD,
  reply: UploadOutcome,
  refusals: uploadRefusals,
})

export const checkEmails = defineCall({
  method: 'POST',
  path: '/api/businesses/emails/check',
  summary: 'What an upload would do, without doing it',
  permission: 'businesses.manage',
  reads: true,
  body: list,
  bodyLimit: MAX_UPLOAD,
  reply: UploadOutcome.extend({
    /** Those that are on the list already, as it has them. */
    known: z.array(z.string()),
  }),
  refusals: uploadRefusals,
})
