import { z } from 'zod'

/** The URL parameters of the text messages. */
export const TextSearch = z.object({
  /** A customer's id; it takes precedence over the number. */
  user: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
  number: z
    .string()
    .regex(/^(\+?\d{3,15}|)$/)
    .catch(''),
  /** The page token. */
  at: z.string().max(400).catch(''),
})
export type TextSearch = z.output<typeof TextSearch>
export type ChangeTextSearch = (change: Partial<TextSearch>) => void
