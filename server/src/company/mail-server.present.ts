import type { MailServer, MailTest } from '@limber/contract/company/mail-server.ts'
import { findCompany, type MailServerRow } from '#platform/company/company.queries.ts'
import { connectionOf, senderOf, senderText } from '#platform/company/mail-connection.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'

/** The last test, if it was of the server that is used now. */
export const testOf = (row: MailServerRow, server: string | undefined): MailTest | null =>
  row.tested_at && row.tested_server === server
    ? {
        at: row.tested_at.toISOString(),
        isOk: row.test_ok === true,
        summary: row.test_summary ?? '',
        answer: row.test_answer ?? '',
      }
    : null

export async function presentMailServer(
  { config, keyring }: Pick<Services, 'config' | 'keyring'>,
  db: Db,
  row: MailServerRow,
): Promise<MailServer> {
  const { smtpUrl, mailFrom, sendsNothing } = config
  const connection = connectionOf(config, row, keyring)
  return {
    host: row.host,
    port: row.port,
    security: row.security,
    username: row.username,
    hasPassword: row.password !== null,
    from_address: row.from_address,
    version: row.version,
    fromEnvironment: { server: smtpUrl ? (connection?.label ?? null) : null, sender: mailFrom ?? null },
    isConnected: connection !== undefined,
    sendsNothing,
    sender: senderText(senderOf(mailFrom, await findCompany(db), row)),
    test: testOf(row, connection?.label),
  }
}
