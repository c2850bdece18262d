import { DAY } from '#platform/clock.ts'

/** Minutes cover the last hour and day and the periods before them, plus some time for late events. */
export const MINUTE_RETENTION = 2 * DAY

/** The whole days that are older than the retention period. */
export const findExpired = <P extends { to: Date }>(partitions: readonly P[], days: number, now: Date): P[] =>
  partitions.filter(({ to }) => to.getTime() <= now.getTime() - days * DAY)
