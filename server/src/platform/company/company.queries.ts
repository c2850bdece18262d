import type { Db, Row } from '../db/db.ts'

export type CompanyRow = Row<'company'>
export type MailServerRow = Row<'mail_server'>

export const findCompany = (db: Db): Promise<CompanyRow> =>
  db.selectFrom('company').selectAll().executeTakeFirstOrThrow()

export const findMailServer = (db: Db): Promise<MailServerRow> =>
  db.selectFrom('mail_server').selectAll().executeTakeFirstOrThrow()
