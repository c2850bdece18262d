/** How the company counts days and weeks, and where its holidays are. */
export interface CompanyTime {
  timeZone: string
  weekStartsOn: WeekStart
  /** As its profile names it, such as `CA`. */
  state: string
}

export const weekStarts = ['sunday', 'monday'] as const
export type WeekStart = (typeof weekStarts)[number]

/** Until the company chooses. */
export const DEFAULT_TIME: CompanyTime = { timeZone: 'America/Los_Angeles', weekStartsOn: 'monday', state: '' }

// A process and a page serve one company. The server sets it from the database, the page from the session.
let current = DEFAULT_TIME

/** The time of the company. It can change while the program runs. */
export const companyTime = () => current

export function setCompanyTime({ timeZone, weekStartsOn, state }: CompanyTime): void {
  current = { timeZone, weekStartsOn, state }
}
