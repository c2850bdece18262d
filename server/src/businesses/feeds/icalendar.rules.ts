/** One event of a calendar. */
export interface CalendarEvent {
  uid: string
  /** Rises with each change, so that programs replace what they know. */
  sequence: number
  startsAt: Date
  endsAt: Date
  summary: string
  location: string | null
  description: string
  isCancelled: boolean
}

/** `20261118T170000Z` */
const instant = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

// Control characters besides line breaks and tabs are not allowed in a calendar.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Text as a value: without line breaks that could begin another property. */
export const escapeText = (text: string) =>
  text
    .replace(forbidden, '')
    .replace(/[\\;,]/g, (char) => `\\${char}`)
    .replace(/\r\n|\r|\n/g, '\\n')

const MAX_OCTETS = 75

/** Folds a line after at most 75 octets, never inside a character. A continuation starts with a space. */
export function foldLine(line: string): string {
  let folded = ''
  let octets = 0
  for (const char of line) {
    const size = Buffer.byteLength(char)
    if (octets + size > MAX_OCTETS) {
      folded += '\r\n '
      octets = 1
    }
    folded += char
    octets += size
  }
  return `${folded}\r\n`
}

const eventLines = (event: CalendarEvent, now: Date) => [
  'BEGIN:VEVENT',
  `UID:${event.uid}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTAMP:${instant(now)}`,
  `DTSTART:${instant(event.startsAt)}`,
  `DTEND:${instant(event.endsAt)}`,
  `SUMMARY:${escapeText(event.summary)}`,
  ...(event.location ? [`LOCATION:${escapeText(event.location)}`] : []),
  `DESCRIPTION:${escapeText(event.description)}`,
  `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
  'END:VEVENT',
]

/** A calendar by RFC 5545. */
export const printCalendar = (name: string, events: readonly CalendarEvent[], now: Date): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Limber//On-site sessions//EN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events.flatMap((event) => eventLines(event, now)),
    'END:VCALENDAR',
  ]
    .map(foldLine)
    .join('')
