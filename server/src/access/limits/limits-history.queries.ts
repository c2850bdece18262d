import { changeLimits } from '@limber/contract/access/limits/limits.ts'
import { CHANGED, type RecordHistory } from '#platform/audit/history.ts'
import { findLimits } from '#platform/security/limits-setting.ts'

export const limitsHistory: RecordHistory = {
  subject: 'limits',
  isSingle: true,
  read: async (db) => ({ name: 'Limits', values: await findLimits(db) }),
  fields: [{ name: 'creditsPerDay', label: 'Credits per worker and day' }],
  actions: { limits_changed: CHANGED },
  restores: [
    { call: changeLimits, fields: ['creditsPerDay'], input: (_, values, now) => ({ body: { ...now, ...values } }) },
  ],
}
