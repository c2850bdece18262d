import { type Keyring, randomToken, sameText } from './secrets.ts'

/** A CSRF token bound to what it protects: a session's or a sign-in attempt's cookie value. */
export function makeCsrfToken(keyring: Keyring, binding: string): string {
  const nonce = randomToken(16)
  return `${nonce}.${keyring.sign('csrf', `${binding}:${nonce}`)}`
}

/** Does the token belong to this cookie value? */
export function isCsrfToken(keyring: Keyring, binding: string, token: unknown): boolean {
  if (typeof token !== 'string' || token.length > 200) return false
  const [nonce, signature, ...rest] = token.split('.')
  if (!nonce || !signature || rest.length > 0) return false
  return sameText(signature, keyring.sign('csrf', `${binding}:${nonce}`))
}
