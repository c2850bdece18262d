import { SECOND } from '#platform/clock.ts'

const upFor = (): number => process.uptime() * SECOND

/** Waiting time, limited to the uptime: work from before a restart gets time to catch up. */
export const waitingTime = (now: Date, since: Date | null): number =>
  since ? Math.min(now.getTime() - since.getTime(), upFor()) : 0
