import { SIGNING_KEYS } from '#certifications/signing-key.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb, openPool } from '#platform/db/db.ts'
import { resealColumn, sealedColumns } from '#platform/security/reseal.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { resealEmails } from '#support/public.ts'
import { type Command, print, withConfig } from './command.ts'

/** People leave by the link of an older mail; the law asks that it works for 30 days. */
const LINKS_MATTER = 60

const rotateKeys: Command = {
  usage: '',
  about: 'seal everything with today’s SECRET_KEY; the ones before it stand in SECRET_KEYS_OLD',
  options: {},
  run: () =>
    withConfig(async (config) => {
      const db = openDb(openPool(config.databaseUrl, { size: 2 }))
      const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
      let unopened = 0
      for (const column of [...sealedColumns, SIGNING_KEYS]) {
        const { resealed, left } = await resealColumn(db, keyring, column)
        print(`${column.table}.${column.column}: ${resealed} sealed anew`)
        unopened += left
      }
      const { resealed, left } = await resealEmails({ db, keyring, clock: systemClock })
      print(`E-mail log: ${resealed} sealed anew`)
      unopened += left
      print(
        unopened > 0
          ? `${unopened} cannot be opened: their key is not in SECRET_KEYS_OLD.`
          : `Nothing in the database is sealed with an earlier key any more. Unsubscribe links in mails still are: empty SECRET_KEYS_OLD ${LINKS_MATTER} days from now.`,
      )
      await db.destroy()
    }),
}

/** Commands about the installation's keys. */
export const keyCommands: Record<string, Command> = { 'keys rotate': rotateKeys }
