import { EventInput } from '@limber/contract/analytics/events/event.ts'
import { isSecretPart, redactUrl } from '@limber/contract/kit/redact-url.ts'
import { DAY, MINUTE, shift } from '#platform/clock.ts'

/** How far ahead a sender's clock may be. */
const MAX_CLOCK_SKEW = 5 * MINUTE
/** How long a disconnected sender may buffer events. */
const MAX_DELAY = 7 * DAY

/** The times of events that can be accepted now, or were until a day ago. */
export const acceptedTimes = (now: Date) => ({
  from: shift(now, -MAX_DELAY - DAY),
  to: shift(now, MAX_CLOCK_SKEW),
})

export type Checked =
  | { event: EventInput & { at: Date; path: string } }
  | { index: number; id: string | null; error: string; isMalformed: boolean }

const idOf = (row: unknown) =>
  typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? row.id.slice(0, 100) : null

/** Checks one row of a batch: the event, or what is wrong with it. */
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
  const reject = (error: string): Checked => ({ index, id: event.id, error, isMalformed: false })
  if (at.getTime() > now.getTime() + MAX_CLOCK_SKEW) return reject('createdAt: is more than 5 minutes in the future')
  if (at.getTime() < now.getTime() - MAX_DELAY) return reject('createdAt: is more than 7 days in the past')
  return { event: { ...event, at, url: redactUrl(event.url), path: pathOf(event.url) } }
}

const MAX_PATH_LENGTH = 200
const MAX_CACHED_PATHS = 10_000
const pathCache = new Map<string, string>()

/** The path of a request: no origin, no query, and `:id` in place of ids. */
export function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const known = pathCache.get(path)
  if (known !== undefined) return known
  const parts = path.split('/').filter(Boolean)
  const found =
    `/${parts.map((part, at) => (/^\d+$/.test(part) || isSecretPart(part, parts[at - 1]) ? ':id' : part)).join('/')}`.slice(
      0,
      MAX_PATH_LENGTH,
    )
  if (pathCache.size >= MAX_CACHED_PATHS) pathCache.clear()
  pathCache.set(path, found)
  return found
}
