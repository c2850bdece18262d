import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Id, IdText } from '#kit/values.ts'

const MB = 1024 * 1024
/** All files of one message together. */
export const MAX_MESSAGE_BYTES = 25 * MB
export const MAX_MESSAGE_FILES = 20

export const TicketFile = z.object({
  id: Id,
  filename: z.string(),
  /** Detected from the content. */
  type: z.string(),
  bytes: z.int(),
  /** Of an image that can be shown; otherwise null. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** `inline`: the email shows it in its text. `original`: the whole email, which could not be read. */
  role: z.enum(['attachment', 'inline', 'original']),
  /** `unscanned`: waits for the virus scanner. The content of `infected` and `too_large` files was not stored. */
  state: z.enum(['ready', 'unscanned', 'infected', 'too_large']),
})
export type TicketFile = z.infer<typeof TicketFile>

const permission = 'tickets.handle' as const
const params = z.strictObject({ id: IdText })
const noFile = [404, 'This file does not exist.'] as const

export const uploadTicketFile = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/files',
  summary: 'Upload a file for a reply that is not sent yet',
  permission,
  params,
  bodyType: 'multipart',
  // A file that is a little too large still gets a proper refusal.
  bodyLimit: 30 * MB,
  limit: { by: 'worker', times: 300, seconds: 600 },
  body: z.strictObject({ file: z.custom<object>() }),
  reply: TicketFile,
  refusals: {
    not_found: [404, 'This ticket does not exist.'],
    merged: [409, 'This ticket was merged into ticket {into}. Reply there.'],
    no_file: [400, 'The upload contains no file.'],
    one_file: [400, 'Upload one file at a time.'],
    malformed: [400, 'The upload is malformed.'],
    empty_file: [422, 'The file is empty.'],
    too_large: [413, 'The files of a message can have at most 25 MB together.'],
    too_many_files: [409, `A message can have at most ${MAX_MESSAGE_FILES} files.`],
    infected: [422, 'The virus scanner found {virus} in this file. It was not stored.'],
    quota: [429, 'You have reached the limit of 5 GB per day. Try again later.'],
    storage_full: [503, 'Storage is full. The file was not saved.'],
  },
})

export const listDraftFiles = defineCall({
  method: 'GET',
  path: '/api/support/tickets/:id/files',
  summary: 'Your files for a reply that is not sent yet',
  permission,
  params,
  reply: z.array(TicketFile),
})

export const removeTicketFile = defineCall({
  method: 'DELETE',
  path: '/api/support/files/:id',
  summary: 'Remove a file from a reply that is not sent yet',
  permission,
  params,
  reply: z.object({ success: z.boolean() }),
  refusals: { not_found: noFile },
})

/** Images and PDF files are shown inline; everything else is downloaded. Supports range requests. */
export const readTicketFile = defineCall({
  method: 'GET',
  path: '/api/support/files/:id',
  summary: 'Download a file of a ticket or a range of it',
  permission,
  params,
  query: z.strictObject({
    /** Sends the file as a download under its original name. */
    download: z.literal('1').optional(),
  }),
  replyType: 'stream',
  reply: z.unknown(),
  refusals: {
    not_found: noFile,
    bad_range: [416, 'The requested range is outside the file.'],
    unscanned: [409, 'This file waits for the virus scanner.'],
  },
})

/** A page without scripts for a sandboxed frame. */
export const readMessageHtml = defineCall({
  method: 'GET',
  path: '/api/support/messages/:id/html',
  summary: 'The sanitized HTML of an email',
  permission,
  params,
  replyType: 'stream',
  reply: z.unknown(),
  refusals: { not_found: [404, 'This message has no HTML.'] },
})

export const allowImages = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/images',
  summary: 'Load or block images of other servers in the emails of the sender of a message',
  permission,
  params,
  body: z.strictObject({ messageId: Id, isAllowed: z.boolean() }),
  reply: z.object({ isAllowed: z.boolean() }),
  refusals: { not_found: [404, 'This message is not in this ticket anymore.'] },
})
