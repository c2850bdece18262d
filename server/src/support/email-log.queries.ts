import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db.ts'

/** Notes that a mail went to a customer. */
export const insertEmailLog = (db: Db, row: Insertable<Tables['email_logs']>) =>
  db.insertInto('email_logs').values(row).execute()
