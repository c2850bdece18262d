import { EventInput } from '@limber/contract/analytics/events/event.ts'
import { isSecretPart, keptUrl } from '@limber/contract/kit/kept-url.ts'
import { DAY, MINUTE } from '#platform/clock.ts'

/** Clocks of senders may be ahead by this much. */
const AHEAD = 5 * MINUTE
/** A sender that was cut off may deliver what it kept for so long. */
export const LATEST = 7 * DAY

export type Checked =
  | { event: EventInput & { at: Date; path: string } }
  | { index: number; id: string | null; error: string; isMalformed: boolean }

const idOf = (row: unknown) =>
  typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? row.id.slice(0, 100) : null

/** Reads one row of a batch, or says what is wrong with it. */
export function checkRow(row: unknown, index: number, now: Date): Checked {
  const parsed = EventInput.safeParse(row)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path.join('.')
    const error = `${path ? `${path}: ` : ''}${issue?.message ?? 'is malformed'}`
    return { index, id: idOf(row), error, isMalformed: true }
  }
  const event = parsed.data
  const at = new Date(event.createdAt)
  const wrong = (error: string): Checked => ({ index, id: event.id, error, isMalformed: false })
  if (at.getTime() > now.getTime() + AHEAD) return wrong('createdAt: lies more than 5 minutes ahead')
  if (at.getTime() < now.getTime() - LATEST) return wrong('createdAt: lies more than 7 days back')
  return { event: { ...event, at, url: keptUrl(event.url), path: pathOf(event.url) } }
}

const PATH_MOST = 200
const KEPT_MOST = 10_000
const kept = new Map<string, string>()

/** Where a request went: no origin, no query, and `:id` for what differs from record to record. */
export function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const known = kept.get(path)
  if (known !== undefined) return known
  const parts = path.split('/').filter(Boolean)
  const found =
    `/${parts.map((part, at) => (/^\d+$/.test(part) || isSecretPart(part, parts[at - 1]) ? ':id' : part)).join('/')}`.slice(
      0,
      PATH_MOST,
    )
  if (kept.size >= KEPT_MOST) kept.clear()
  kept.set(path, found)
  return found
}
