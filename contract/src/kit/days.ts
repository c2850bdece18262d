const DAY = 86_400_000

const read = (day: string) => Date.parse(`${day}T00:00:00Z`)
const print = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Adds days to a calendar day, `YYYY-MM-DD`. Time zones do not matter. */
export const addDays = (day: string, days: number): string => print(read(day) + days * DAY)

/** The number of days from one day to another. */
export const daysBetween = (from: string, to: string): number => (read(to) - read(from)) / DAY

/** The Monday of a day's week. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(read(day)).getUTCDay() + 6) % 7))
