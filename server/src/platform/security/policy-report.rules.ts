import { redactUrl } from '@limber/contract/kit/redact-url.ts'
import { z } from 'zod'

/** A violation of the Content Security Policy. */
export interface Violation {
  directive: string
  /** A keyword such as `inline`, or the blocked origin; never a full URL. */
  blocked: string
  /** The path of the page, redacted. */
  page: string
}

const Reports = z.array(z.object({ type: z.string(), body: z.record(z.string(), z.unknown()).nullish() })).max(100)

const word = (value: unknown) => (typeof value === 'string' && /^[a-z-]{1,40}$/.test(value) ? value : undefined)
const addressOf = (value: unknown) => (typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined)

function originOf(value: unknown): string {
  const address = addressOf(value)
  return address ? `${address.protocol}//${address.host}`.slice(0, 100) : 'unknown'
}

/** Parses the violations in a browser's reports; undefined when the body is not a list of reports. Do not trust them. */
export function readViolations(bytes: Buffer | undefined): Violation[] | undefined {
  let json: unknown
  try {
    json = JSON.parse(String(bytes ?? ''))
  } catch {
    return undefined
  }
  const reports = Reports.safeParse(json)
  if (!reports.success) return undefined
  return reports.data.flatMap(({ type, body }) =>
    type === 'csp-violation' && body
      ? [
          {
            directive: word(body.effectiveDirective) ?? 'unknown',
            blocked: word(body.blockedURL) ?? originOf(body.blockedURL),
            page: redactUrl(addressOf(body.documentURL)?.pathname ?? 'unknown').slice(0, 100),
          },
        ]
      : [],
  )
}
