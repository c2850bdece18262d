const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const words = /^[a-z]+(?:[-_.][a-z]+)*$/
const camelWords = /^[a-z]+(?:[A-Z][a-z]{2,})*$/
/** Path parts that usually come before a secret token. */
const opening =
  /^(?:un-?subscribe|opt-?out|verif|confirm|reset|password|invit|onboard|activat|magic|token|auth|link|share|calendar|ics|feed|claim|accept|redeem|download|rating$|[st]$)/i

/** True for a path part that identifies a person or grants access: an email address, a phone number, a long token. */
export function isSecretPart(part: string, before = ''): boolean {
  if (part.length < 8 && !part.includes('@')) return false
  if (/@|%40|^(?:\+|%2b)?\d{10,}$/i.test(part) || uuid.test(part) || /^[0-9a-f]{16,}$/i.test(part)) return true
  if (part.length >= 16 && /\d/.test(part) && /[a-z]/i.test(part)) return true
  if (part.length >= 16 && !words.test(part) && !camelWords.test(part)) return true
  if (part.length >= 24 && !/[-_.A-Z]/.test(part)) return true
  return part.length >= 8 && opening.test(before) && (!words.test(part) || (part.length >= 16 && !/[-_.]/.test(part)))
}

/** A URL that is safe to store: without its query, and with `:id` for personal data and tokens. */
export function redactUrl(url: string): string {
  const [, origin = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/is.exec(url) ?? []
  const parts = path.split('/')
  // Remove credentials before the host.
  const host = origin.replace(/\/\/[^/]*@/, '//')
  return host + parts.map((part, at) => (isSecretPart(part, parts[at - 1]) ? ':id' : part)).join('/')
}

/** The path of a call that is safe to store: its route with plain record ids and names filled in. */
export const redactRoute = (route: string, params: unknown): string =>
  route.replace(/:(\w+)/g, (whole, name: string) => {
    const value = (params as Record<string, unknown> | undefined)?.[name]
    if (typeof value !== 'string') return whole
    return /^\d{1,9}$/.test(value) || (name === 'name' && !isSecretPart(value)) ? value : whole
  })
