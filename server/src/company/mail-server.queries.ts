import type { MailServerRow } from '#platform/company/company.queries.ts'
import type { Db } from '#platform/db/db.ts'

export const lockMailServer = (db: Db): Promise<MailServerRow> =>
  db.selectFrom('mail_server').selectAll().forUpdate().executeTakeFirstOrThrow()

type Settings = Pick<MailServerRow, 'host' | 'port' | 'security' | 'username' | 'password' | 'from_address'>

/** An earlier test says nothing about the new settings. */
const untested = {
  tested_at: null,
  tested_by: null,
  tested_server: null,
  test_ok: null,
  test_summary: null,
  test_answer: null,
}

export const saveMailServer = (db: Db, settings: Settings): Promise<MailServerRow> =>
  db
    .updateTable('mail_server')
    .set((row) => ({ ...settings, ...untested, version: row('version', '+', 1) }))
    .returningAll()
    .executeTakeFirstOrThrow()

interface Test {
  server: string
  workerId: number
  isOk: boolean
  summary: string
  answer: string
}

/** Keeps a test, unless the settings changed while it ran. */
export const saveTest = (db: Db, version: number, { server, workerId, isOk, summary, answer }: Test, now: Date) =>
  db
    .updateTable('mail_server')
    .set({
      tested_at: now,
      tested_by: workerId,
      tested_server: server,
      test_ok: isOk,
      test_summary: summary,
      test_answer: answer,
    })
    .where('version', '=', version)
    .execute()
