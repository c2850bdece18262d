import { SECOND } from '#platform/clock.ts'

/** For how long this process has been there to do what waits. */
const upFor = (): number => process.uptime() * SECOND

/** For how long something has waited for a running product: what lay there while it was off is done soon enough. */
export const waited = (now: Date, since: Date | null): number =>
  since ? Math.min(now.getTime() - since.getTime(), upFor()) : 0
