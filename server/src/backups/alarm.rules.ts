import { HOUR } from '#platform/clock.ts'

/** A day and two hours, so that one failed nightly backup is noticed the same morning. */
export const ALARM_AFTER = 26 * HOUR

export interface BackupAlarm {
  isAlarm: boolean
  /** When the snapshot of the newest verified backup was taken. */
  newestAt: Date | null
  text: string
}

interface Facts {
  isSetUp: boolean
  newestAt: Date | null
  /** When the installation was created. */
  since: Date
}

const hours = (ms: number) => {
  const total = Math.floor(ms / HOUR)
  return total < 48 ? `${total} hours` : `${Math.floor(total / 24)} days`
}

/** Whether the backups need attention, and why. */
export function assessBackups({ isSetUp, newestAt, since }: Facts, now: Date): BackupAlarm {
  const age = now.getTime() - (newestAt ?? since).getTime()
  if (!isSetUp)
    return { isAlarm: true, newestAt, text: 'Backups are not set up. Set BACKUP_KEY and restart the server.' }
  if (newestAt && age > ALARM_AFTER)
    return { isAlarm: true, newestAt, text: `The newest verified backup is ${hours(age)} old.` }
  if (newestAt) return { isAlarm: false, newestAt, text: 'The newest verified backup is recent.' }
  return age > ALARM_AFTER
    ? { isAlarm: true, newestAt, text: `There is no verified backup, although data has existed for ${hours(age)}.` }
    : { isAlarm: false, newestAt, text: 'There is no backup yet. The first one runs tonight.' }
}
