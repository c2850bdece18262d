import { DEFAULT_LIMITS, Limits } from '@limber/contract/access/limits/limits.ts'
import type { Db } from '../db/db.ts'
import { findInstallationValue, saveInstallationValue } from '../db/installation.ts'

const KEY = 'limits'

/** The company's limits per worker. */
export const findLimits = async (db: Db): Promise<Limits> =>
  Limits.catch(DEFAULT_LIMITS).parse(await findInstallationValue(db, KEY))

export const saveLimits = (db: Db, limits: Limits, now: Date) => saveInstallationValue(db, KEY, limits, now)
