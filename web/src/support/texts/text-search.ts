import { z } from 'zod'

/** What the URL of the text messages keeps. */
export const TextSearch = z.object({
  /** A customer's id; their number decides. */
  user: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
  number: z
    .string()
    .regex(/^(\+?\d{3,15}|)$/)
    .catch(''),
  /** The token of the page. */
  at: z.string().max(400).catch(''),
})
export type TextSearch = z.output<typeof TextSearch>
export type ChangeTextSearch = (change: Partial<TextSearch>) => void
