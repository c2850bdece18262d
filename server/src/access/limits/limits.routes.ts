import { changeLimits, readLimits } from '@limber/contract/access/limits/limits.ts'
import { serve } from '#platform/http/routes.ts'
import { findLimits, saveLimits } from '#platform/security/limits-setting.ts'

export const limitRoutes = [
  serve(readLimits, ({ db }) => findLimits(db)),

  serve(changeLimits, async ({ body, db, now, audit, publish }) => {
    const before = await findLimits(db)
    await saveLimits(db, body, now)
    audit({ action: 'limits_changed', subject: 'limits', before, after: body })
    publish('access')
    return body
  }),
]
