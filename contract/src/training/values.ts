import { z } from 'zod'
import { foldCase, Text } from '#kit/values.ts'

/** Characters of a key. */
export const MAX_KEY = 80

/** What a typed text becomes as a key: lower case, joined by underscores. */
export const toKey = (text: string) =>
  foldCase(text.trim())
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/_{2,}/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')

/** Capitalises each word; the rest of a word stays as it was typed. */
export const capitalizeWords = (text: string) =>
  text.replace(/(^|[\s([/"“-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

/** A key as it is stored, to name a record. */
export const Key = z
  .string()
  .min(1, 'is required')
  .max(MAX_KEY, `has more than ${MAX_KEY} characters`)
  .regex(/^[a-z0-9_-]+$/, 'may hold lower-case letters, digits, _ and - only')

/** A key as a person types it; it becomes a slug. */
export const NewKey = z.string().max(200, 'has more than 200 characters').transform(toKey).pipe(Key)

/** A title; each of its words is capitalised. */
export const Title = Text(200).transform(capitalizeWords)

export const Description = Text(5000, 0)
  .nullish()
  .transform((text) => text || null)

/** The same in a change: left out, it stays. */
export const OptionalDescription = Text(5000, 0)
  .nullish()
  .transform((text) => (text === undefined ? undefined : text || null))

/** Bytes of a custom stylesheet. */
export const MAX_CSS = 100_000

/** Style text as it is typed. The server parses it, takes out what is not allowed, and says what it took out. */
export const StyleText = z.string().max(MAX_CSS, 'has more than 100,000 characters')

/** What was taken out of custom CSS when it was saved, and where it stood. */
export const StyleNote = z.object({ line: z.int(), column: z.int(), text: z.string() })
export type StyleNote = z.infer<typeof StyleNote>

/** Where files of the product are served. */
export const FILES_PATH = '/api/training/files/'

const ownFile = /^\/api\/training\/files\/[a-z0-9]{26}\.[a-z0-9]{2,4}$/

// A name and no number, no user, no quotes: what a browser reads is what was checked.
const https =
  /^https:\/\/((?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z][a-z0-9-]{1,62})(?::\d{1,5})?(?:[/?#][^\s"'<>\\`]*)?$/i

/** The host of an https address; nothing for anything else. */
export const hostOf = (address: string): string | undefined => https.exec(address)?.[1]?.toLowerCase()

/** The address of a picture, film, sound or document: one of our own files, or https. Empty: not set yet. */
export const MediaUrl = z
  .string()
  .trim()
  .max(2000, 'has more than 2,000 characters')
  .refine(
    (text) => text === '' || ownFile.test(text) || hostOf(text) !== undefined,
    'must be an uploaded file or an address that begins with https://',
  )

export const Minutes = z.int().min(0).max(100_000).nullable()

/** Part of a reply to a change: the documents ask for it beside the record. */
export const success = z.boolean()
