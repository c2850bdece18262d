import { z } from 'zod'
import type { Db } from '#platform/db/db.ts'
import { findInstallationValue, saveInstallationValue } from '#platform/db/installation.ts'

const KEY = 'ticket_assignment'
const Setting = z.object({ takesOnReply: z.boolean() })

/** Whether a reply to an unassigned ticket assigns it to the worker who replies. */
export const findTakesOnReply = async (db: Db): Promise<boolean> =>
  Setting.catch({ takesOnReply: false }).parse(await findInstallationValue(db, KEY)).takesOnReply

export const saveTakesOnReply = (db: Db, takesOnReply: boolean, now: Date) =>
  saveInstallationValue(db, KEY, { takesOnReply }, now)
