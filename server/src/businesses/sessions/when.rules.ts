import { zoneNameAt } from '@limber/contract/kit/zone-time.ts'

const dated: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }
const timed: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

const clock = (at: Date, zone: string) => new Intl.DateTimeFormat('en-GB', { ...timed, timeZone: zone }).format(at)
const day = (at: Date, zone: string) => new Intl.DateTimeFormat('en-GB', { ...dated, timeZone: zone }).format(at)

/** "Wednesday 18 November 2026, 09:00 PST", by the clocks of a zone. */
export const timeInWords = (at: Date, zone: string) =>
  `${day(at, zone).replace(',', '')}, ${clock(at, zone)} ${zoneNameAt(at, zone)}`

/** "Wednesday 18 November 2026, 09:00 to 13:00 PST"; when the clocks change meanwhile, both names are said. */
export function spanInWords(from: Date, to: Date, zone: string): string {
  const [before, after] = [zoneNameAt(from, zone), zoneNameAt(to, zone)]
  const start = before === after ? clock(from, zone) : `${clock(from, zone)} ${before}`
  return `${day(from, zone).replace(',', '')}, ${start} to ${clock(to, zone)} ${after}`
}

/** "09:00", for a sentence that says the day elsewhere. */
export const clockInWords = clock
