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

/** A number as people in its country read it; others stand as they are. */
export function numberText(number: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number)
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : number
}
