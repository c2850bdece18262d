const DAY = 86_400_000

const read = (day: string) => Date.parse(`${day}T00:00:00Z`)
const print = (at: number) => new Date(at).toISOString().slice(0, 10)

/** A calendar day so many days later, or earlier; days are `YYYY-MM-DD` and know no clocks. */
export const addDays = (day: string, days: number): string => print(read(day) + days * DAY)

/** How many days one day lies behind another. */
export const daysBetween = (from: string, to: string): number => (read(to) - read(from)) / DAY

/** The Monday of the week that a day belongs to. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(read(day)).getUTCDay() + 6) % 7))
