import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Keyring } from './secrets.ts'

/** A column with encrypted values, and their purpose. */
export interface SealedColumn {
  table: string
  column: string
  purpose: string
}

/** Encrypted columns of the platform and of sign-in. The command adds those of other areas. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'outbox', column: 'payload', purpose: 'outbox' },
  { table: 'workers', column: 'totp_secret', purpose: 'totp' },
  { table: 'onboarding_links', column: 'totp_secret', purpose: 'totp' },
  { table: 'mail_server', column: 'password', purpose: 'mail server password' },
  { table: 'mailboxes', column: 'imap_secret', purpose: 'mailbox' },
  { table: 'mailboxes', column: 'oauth_secret', purpose: 'mailbox' },
  { table: 'mailboxes', column: 'smtp_secret', purpose: 'mailbox' },
  { table: 'webhook_secrets', column: 'secret', purpose: 'webhook' },
]

const BATCH = 500

/**
 * Re-encrypts the values of a column with the current key. A value that changes concurrently is skipped, because its
 * writer used the current key. Values whose key is unknown are counted and left as they are.
 */
export async function resealColumn(db: Db, keyring: Keyring, { table, column, purpose }: SealedColumn) {
  const [place, value] = [sql.table(table), sql.ref(column)]
  const own = Buffer.from(keyring.keyId, 'hex')
  let [resealed, left, after] = [0, 0, 0]
  for (;;) {
    const { rows } = await sql<{ id: number; sealed: Buffer }>`
      select id, ${value} as sealed from ${place}
      where id > ${after} and ${value} is not null and substring(${value} from 2 for 4) <> ${own}
      order by id limit ${BATCH}`.execute(db)
    const last = rows.at(-1)
    if (!last) return { resealed, left }
    after = last.id
    for (const { id, sealed } of rows) {
      const fresh = resealValue(keyring, purpose, sealed)
      if (!fresh) left += 1
      else {
        await sql`update ${place} set ${value} = ${fresh} where id = ${id} and ${value} = ${sealed}`.execute(db)
        resealed += 1
      }
    }
  }
}

function resealValue(keyring: Keyring, purpose: string, sealed: Buffer): Buffer | undefined {
  try {
    return keyring.seal(purpose, keyring.open(purpose, sealed))
  } catch {
    return undefined
  }
}
