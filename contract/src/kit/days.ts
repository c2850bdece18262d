const DAY = 86_400_000

const read = (day: string) => Date.parse(`${day}T00:00:00Z`)
const print = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Adds days to a calendar day, `YYYY-MM-DD`. Time zones do not matter. */
export const addDays = (day: string, days: number): string => print(read(day) + days * DAY)

/** The number of days from one day to another. */
export const daysBetween = (from: string, to: string): number => (read(to) - read(from)) / DAY

/** 0 for Sunday to 6 for Saturday. */
export const weekdayOf = (day: string): number => new Date(read(day)).getUTCDay()
