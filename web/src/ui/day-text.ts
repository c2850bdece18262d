const words = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A calendar day, `2026-11-14` on the wire, in words; no day in others. */
export const dayText = (day: string | null | undefined, absent = '--') =>
  day ? words.format(new Date(`${day}T00:00:00Z`)) : absent
