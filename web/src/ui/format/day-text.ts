import { dayInWords } from '@limber/contract/kit/day-words.ts'

/** A calendar day in words; no day in others. */
export const dayText = (day: string | null | undefined, absent = '--') => (day ? dayInWords(day) : absent)
