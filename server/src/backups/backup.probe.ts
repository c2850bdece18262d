import { formatMoment } from '@limber/contract/kit/formats/dates.ts'
import type { Probe, ProbeResult } from '#platform/telemetry/health.ts'
import { backupAlarm } from './public.ts'

export const backupProbe: Probe = {
  name: 'backups',
  title: 'Backups',
  async check({ db, clock, config }): Promise<ProbeResult> {
    const isSetUp = config.backup.key !== undefined
    const { isAlarm, newestAt, text } = await backupAlarm(db, clock.now(), { isSetUp })
    return {
      status: !isSetUp ? 'not_connected' : isAlarm ? 'warning' : 'ok',
      summary: text,
      facts: [{ label: 'Newest verified', value: newestAt ? formatMoment(newestAt) : 'none' }],
    }
  },
}
