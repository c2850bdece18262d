import type { Config } from '../config.ts'

export interface CookieOptions {
  httpOnly: boolean
  maxAge?: number
}

/** `wrote`: the browser changed something in the last seconds, so it must not read from a replica. */
export type CookieName = 'sid' | 'csrf' | 'flow' | 'dev' | 'wrote'

/** The name of a cookie. With https it gets the prefix `__Host-`, so that no subdomain can set it. */
export const cookieName = (config: Pick<Config, 'isHttps'>, name: CookieName) =>
  config.isHttps ? `__Host-${name}` : name

/** A Set-Cookie header. `SameSite=Strict`: other sites never cause our cookies to be sent. */
export function cookieLine(
  config: Pick<Config, 'isHttps'>,
  name: CookieName,
  value: string,
  { httpOnly, maxAge }: CookieOptions,
): string {
  const parts = [`${cookieName(config, name)}=${value}`, 'Path=/', 'SameSite=Strict']
  if (config.isHttps) parts.push('Secure')
  if (httpOnly) parts.push('HttpOnly')
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  return parts.join('; ')
}

/** The cookies of a request. A name that appears twice counts as absent, because an attacker may have set one. */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  const seen = new Set<string>()
  if (!header || header.length > 8_192) return cookies
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at < 1) continue
    const name = part.slice(0, at).trim()
    if (seen.has(name)) cookies.delete(name)
    else cookies.set(name, part.slice(at + 1).trim())
    seen.add(name)
  }
  return cookies
}
