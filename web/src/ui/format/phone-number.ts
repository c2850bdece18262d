/** The typed phone number in E.164 format; undefined for other text. */
export function phoneNumberIn(text: string): string | undefined {
  if (!/^[\d\s()+.-]*$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  if (text.trim().startsWith('+')) return /^\d{8,15}$/.test(digits) ? `+${digits}` : undefined
  return digits.length === 10 ? `+1${digits}` : /^1\d{10}$/.test(digits) ? `+${digits}` : undefined
}
