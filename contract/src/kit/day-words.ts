const words = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A calendar day, `2026-11-14` on the wire, as people read it: `14 Nov 2026`. */
export const dayInWords = (day: string) => words.format(new Date(`${day}T00:00:00Z`))
