import {
  type SuggestionSection,
  type SuggestionStatus,
  suggestionStatusLabels,
} from '@limber/contract/support/suggestions/kb-suggestion.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const sectionLabels: Record<SuggestionSection, string> = { faq: 'FAQ', experience: 'Experience', about: 'About' }

export const statusMeaning: Record<SuggestionStatus, Meaning> = {
  pending: 'amber',
  approved: 'blue',
  implemented: 'green',
  rejected: 'plain',
}

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))

export const sectionOptions = optionsOf(sectionLabels)
export const statusOptions = optionsOf(suggestionStatusLabels)
