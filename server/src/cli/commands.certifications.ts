import { rotateSigningKey } from '#certifications/signing-key.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { type Command, print, withConfig } from './command.ts'

const rotateKey: Command = {
  usage: '',
  about: 'sign new certifications with a new key; certifications signed with older keys stay valid',
  options: {},
  run: () =>
    withConfig(async (config) => {
      const db = openDb(openPool(config.databaseUrl, { size: 2 }))
      const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
      const services = { db, keyring, config, clock: systemClock, log: silentLog }
      print(
        `New certifications are signed with key ${await rotateSigningKey(services, { call: 'limber signing-key rotate' })}.`,
      )
      await db.destroy()
    }),
}

/** Commands about certifications. */
export const certificationCommands: Record<string, Command> = { 'signing-key rotate': rotateKey }
