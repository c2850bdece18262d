import { systemClock } from '#platform/clock.ts'
import { openDb, openPool } from '#platform/db.ts'
import { makeKeyring } from '#platform/secrets.ts'
import { resealEmails } from '#support/public.ts'
import { type Command, print, withConfig } from './command.ts'

const rotateKeys: Command = {
  usage: '',
  about: 'seal the e-mail log with today’s SECRET_KEY; the ones before it stand in SECRET_KEYS_OLD',
  options: {},
  run: () =>
    withConfig(async (config) => {
      const db = openDb(openPool(config.databaseUrl, { size: 2 }))
      const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
      const { resealed, left } = await resealEmails({ db, keyring, clock: systemClock })
      print(`${resealed} mails are sealed anew.`)
      if (left > 0) print(`${left} cannot be opened: their key is not in SECRET_KEYS_OLD.`)
      await db.destroy()
    }),
}

/** Commands about support. */
export const supportCommands: Record<string, Command> = { 'keys rotate': rotateKeys }
