import { z } from 'zod'
import { foldCase, Text } from '#kit/values.ts'

/** Maximum characters of a key. */
export const MAX_KEY = 80

/** Turns typed text into a key: lowercase, joined by underscores. */
export const toKey = (text: string) =>
  foldCase(text.trim())
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/_{2,}/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')

/** Capitalizes the first letter of each word and leaves the rest as typed. */
export const capitalizeWords = (text: string) =>
  text.replace(/(^|[\s([/"“-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

/** A stored key. */
export const Key = z
  .string()
  .min(1, 'is required')
  .max(MAX_KEY, `must be at most ${MAX_KEY} characters`)
  .regex(/^[a-z0-9_-]+$/, 'may contain only lowercase letters, digits, _ and -')

/** A key as a worker types it; it becomes a slug. */
export const NewKey = z.string().max(200, 'must be at most 200 characters').transform(toKey).pipe(Key)

/** A title; each word is capitalized. */
export const Title = Text(200).transform(capitalizeWords)

export const Description = Text(5000, 0)
  .nullish()
  .transform((text) => text || null)

/** The description in an update; omitted, it does not change. */
export const OptionalDescription = Text(5000, 0)
  .nullish()
  .transform((text) => (text === undefined ? undefined : text || null))

/** Maximum characters of a custom stylesheet. */
export const MAX_CSS = 100_000

/** CSS as typed. The server parses it, removes what is not allowed, and reports what it removed. */
export const StyleText = z.string().max(MAX_CSS, 'must be at most 100,000 characters')

/** Something that was removed from custom CSS on save, and where it was. */
export const StyleNote = z.object({ line: z.int(), column: z.int(), text: z.string() })
export type StyleNote = z.infer<typeof StyleNote>

/** The path that serves uploaded files. */
export const FILES_PATH = '/api/training/files/'

const ownFile = /^\/api\/training\/files\/[a-z0-9]{26}\.[a-z0-9]{2,4}$/

// A host name only: no IP address, no user info, no quotes. So the browser loads exactly the host that was checked.
const https =
  /^https:\/\/((?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z][a-z0-9-]{1,62})(?::\d{1,5})?(?:[/?#][^\s"'<>\\`]*)?$/i

/** The host of an https URL; undefined for anything else. */
export const hostOf = (address: string): string | undefined => https.exec(address)?.[1]?.toLowerCase()

/** The URL of an image, video, audio file or document: an uploaded file or https. Empty: not set yet. */
export const MediaUrl = z
  .string()
  .trim()
  .max(2000, 'must be at most 2,000 characters')
  .refine(
    (text) => text === '' || ownFile.test(text) || hostOf(text) !== undefined,
    'must be an uploaded file or start with https://',
  )

export const Minutes = z.int().min(0).max(100_000).nullable()

/** Part of every reply to a change: the specification requires it next to the record. */
export const success = z.boolean()
