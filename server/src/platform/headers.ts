import type { Config } from './config.ts'

/** Headers of every reply: no sniffing, no referrer, no framing, nothing cached unless a route says otherwise. */
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

/** The policy of our own pages: nothing from elsewhere but media of the hosts in the settings, scripts and styles by nonce. */
export const pagePolicy = (nonce: string, mediaHosts: ReadonlySet<string> = new Set()) => {
  const media = [...mediaHosts].map((host) => ` https://${host}`).join('')
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data:${media}`,
    `media-src 'self' blob:${media}`,
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
  ].join('; ')
}
