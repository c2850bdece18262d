/** A LIKE pattern that finds the text itself: wildcards in it stand for themselves. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const PHONE = /^\+?[\d\s().-]+$/
const DIGITS_OF_A_PHONE = 4

/** The same for a phone number, which people write with brackets and hyphens and which is kept as bare digits; nothing for other texts. */
export function containingPhone(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  return PHONE.test(text) && digits !== text && digits.length >= DIGITS_OF_A_PHONE ? `%${digits}%` : undefined
}
