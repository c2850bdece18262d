import { SECOND } from '#platform/clock.ts'
import type { Gauges } from '#platform/telemetry/gauges.ts'
import { readFreshness } from './backup.queries.ts'

export const backupGauges: Gauges = {
  name: 'backups',
  help: {
    limber_backup_set_up: '1 if backups are made.',
    limber_backup_age_seconds: 'Age of the newest backup that was proven by a restore. Missing while there is none.',
  },
  async read({ db, clock, config }) {
    const { newestAt } = await readFreshness(db)
    const age = newestAt && (clock.now().getTime() - newestAt.getTime()) / SECOND
    return [
      { name: 'limber_backup_set_up', value: Number(config.backup.key !== undefined) },
      ...(age === null ? [] : [{ name: 'limber_backup_age_seconds', value: age }]),
    ]
  },
}
