/** A LIKE pattern that finds the text literally, with its wildcards escaped. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const PHONE = /^\+?[\d\s().-]+$/
const DIGITS_OF_A_PHONE = 4

/** The same for a phone number typed with punctuation; phone numbers are stored as digits. Undefined for other texts. */
export function containingPhone(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  return PHONE.test(text) && digits !== text && digits.length >= DIGITS_OF_A_PHONE ? `%${digits}%` : undefined
}

/** True for a text with three letters or digits in a row. A trigram index cannot find shorter ones inside words. */
export const hasTrigram = (text: string) => /[\p{L}\p{N}]{3}/u.test(text)

/**
 * Patterns that a trigram index can use: three letters or more match anywhere, shorter texts at the start of a word. None
 * for texts with other characters, such as `a_b`: those need a scan.
 */
export function lookupPatterns(text: string): string[] {
  if (hasTrigram(text)) return [containing(text)]
  return /^[\p{L}\p{N}]+$/u.test(text) ? [`${text}%`, `% ${text}%`] : []
}
