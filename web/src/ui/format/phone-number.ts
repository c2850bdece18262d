/** The number that was typed, as it is written to; none for words. */
export function phoneNumberIn(text: string): string | undefined {
  if (!/^[\d\s()+.-]*$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  if (text.trim().startsWith('+')) return /^\d{8,15}$/.test(digits) ? `+${digits}` : undefined
  return digits.length === 10 ? `+1${digits}` : /^1\d{10}$/.test(digits) ? `+${digits}` : undefined
}
