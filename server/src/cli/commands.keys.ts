import { SIGNING_KEYS } from '#certifications/signing-key.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { resealColumn, sealedColumns } from '#platform/security/reseal.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { resealEmails } from '#support/public.ts'
import { type Command, print, withConfig } from './command.ts'

/** Unsubscribe links in older emails must keep working; the law requires 30 days. */
const UNSUBSCRIBE_DAYS = 60

const rotateKeys: Command = {
  usage: '',
  about: 're-encrypt everything with the current SECRET_KEY; list earlier keys in SECRET_KEYS_OLD',
  options: {},
  run: () =>
    withConfig(async (config) => {
      const db = openDb(openPool(config.databaseUrl, { size: 2 }))
      const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
      let unopened = 0
      for (const column of [...sealedColumns, SIGNING_KEYS]) {
        const { resealed, left } = await resealColumn(db, keyring, column)
        print(`${column.table}.${column.column}: ${resealed} re-encrypted`)
        unopened += left
      }
      const { resealed, left } = await resealEmails({ db, keyring, clock: systemClock })
      print(`Email log: ${resealed} re-encrypted`)
      unopened += left
      print(
        unopened > 0
          ? `${unopened} values could not be decrypted: their key is not in SECRET_KEYS_OLD.`
          : `The database no longer uses earlier keys. Unsubscribe links in sent emails still do: empty SECRET_KEYS_OLD in ${UNSUBSCRIBE_DAYS} days.`,
      )
      await db.destroy()
    }),
}

/** Commands about the installation's keys. */
export const keyCommands: Record<string, Command> = { 'keys rotate': rotateKeys }
