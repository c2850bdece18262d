import { SuggestionStatus } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { z } from 'zod'

/** What the URL of the suggestions keeps, beside page and order. */
export const SuggestionSearch = z.object({
  q: z.string().max(100).catch(''),
  status: SuggestionStatus.or(z.literal('')).catch(''),
  page: z.coerce.number().int().min(1).catch(1),
  suggestion: z.coerce.number().int().min(0).catch(0),
  view: z.enum(['', 'new', 'review']).catch(''),
})
export type SuggestionSearch = z.output<typeof SuggestionSearch>
