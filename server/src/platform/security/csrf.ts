import { type Keyring, randomToken, sameText } from './secrets.ts'

/** A CSRF token bound to the cookie value of a session or a sign-in attempt. */
export function makeCsrfToken(keyring: Keyring, binding: string): string {
  const nonce = randomToken(16)
  return `${nonce}.${keyring.sign('csrf', `${binding}:${nonce}`)}`
}

export function isCsrfToken(keyring: Keyring, binding: string, token: unknown): boolean {
  if (typeof token !== 'string' || token.length > 200) return false
  const [nonce, signature, ...rest] = token.split('.')
  if (!nonce || !signature || rest.length > 0) return false
  return sameText(signature, keyring.sign('csrf', `${binding}:${nonce}`))
}

const MAX_KNOWN_TOKENS = 2000
const known = new WeakMap<Keyring, Map<string, string>>()

/** The same with a cache, for pages that check often. */
export function isKnownToken(keyring: Keyring, binding: string, token: string | undefined): boolean {
  const tokens = known.get(keyring) ?? new Map<string, string>()
  known.set(keyring, tokens)
  if (token !== undefined && tokens.get(binding) === token) return true
  if (token === undefined || !isCsrfToken(keyring, binding, token)) return false
  if (tokens.size >= MAX_KNOWN_TOKENS) tokens.clear()
  tokens.set(binding, token)
  return true
}
