import { DAY } from '#platform/clock.ts'

/** Minutes serve the last hour and the last day, each with the one before; late events may still come for a while. */
export const MINUTES_KEPT = 2 * DAY

/** The days that are older than the days to keep, whole. */
export const outlived = <P extends { to: Date }>(partitions: readonly P[], days: number, now: Date): P[] =>
  partitions.filter(({ to }) => to.getTime() <= now.getTime() - days * DAY)
