const words = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A calendar day, `2026-11-14` on the wire, as people read it: `14 Nov 2026`. */
export function dayInWords(day: string): string {
  const midnight = new Date(`${day}T00:00:00Z`)
  // The 30th of February would be read as a day in March.
  const isReal = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  return isReal ? words.format(midnight) : 'Invalid Date'
}
