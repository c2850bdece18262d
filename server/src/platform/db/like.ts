/** A LIKE pattern that finds the text itself: wildcards in it stand for themselves. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const PHONE = /^\+?[\d\s().-]+$/
const DIGITS_OF_A_PHONE = 4

/** The same for a phone number, which people write with brackets and hyphens and which is kept as bare digits; nothing for other texts. */
export function containingPhone(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  return PHONE.test(text) && digits !== text && digits.length >= DIGITS_OF_A_PHONE ? `%${digits}%` : undefined
}

/** Has the text three letters or digits in a row? Shorter ones no index of trigrams can find inside words. */
export const hasTrigram = (text: string) => /[\p{L}\p{N}]{3}/u.test(text)

/**
 * Patterns by which an index of trigrams finds a text: one of three letters anywhere, a shorter one where a word begins.
 * None for a text of other signs, such as `a_b`: that is found by reading alone.
 */
export function lookupPatterns(text: string): string[] {
  if (hasTrigram(text)) return [containing(text)]
  return /^[\p{L}\p{N}]+$/u.test(text) ? [`${text}%`, `% ${text}%`] : []
}
