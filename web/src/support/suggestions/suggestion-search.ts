import { SuggestionStatus } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { z } from 'zod'

/** The URL parameters of the suggestions, in addition to the table's. */
export const SuggestionSearch = z.object({
  q: z.string().max(100).catch(''),
  status: SuggestionStatus.or(z.literal('')).catch(''),
  page: z.coerce.number().int().min(1).catch(1),
  suggestion: z.coerce.number().int().min(0).catch(0),
  view: z.enum(['', 'new', 'review']).catch(''),
})
export type SuggestionSearch = z.output<typeof SuggestionSearch>
