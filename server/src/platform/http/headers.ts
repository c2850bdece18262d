import { reportPolicy } from '@limber/contract/kit/meta.ts'
import type { Config } from '../config.ts'

/** Security headers of every reply. Nothing is cached unless a route says otherwise. */
export function safetyHeaders(config: Pick<Config, 'isHttps'>): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy':
      'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'cache-control': 'no-store',
    ...(config.isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

/** Where browsers report violations of `pagePolicy`. */
export const REPORTING = `csp="${reportPolicy.path}"`

/** Configured hosts that our pages may reach. */
export interface PageHosts {
  mediaHosts: ReadonlySet<string>
  mapHosts: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()
const listed = (hosts: ReadonlySet<string>) => [...hosts].map((host) => ` https://${host}`).join('')

/** The CSP of our pages: scripts and styles by nonce, nothing external except media and maps of the configured hosts. */
export const pagePolicy = (
  nonce: string,
  { mediaHosts, mapHosts }: PageHosts = { mediaHosts: none, mapHosts: none },
) => {
  const media = listed(mediaHosts)
  const map = listed(mapHosts)
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data:${media}${map}`,
    `media-src 'self' blob:${media}`,
    `connect-src 'self'${map}`,
    "font-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    'report-to csp',
  ].join('; ')
}
