import { Email, Line } from '@limber/contract/kit/values.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb, openPool } from '#platform/db.ts'
import { makeKeyring } from '#platform/secrets.ts'
import { liftSuppression } from '#platform/suppressions.ts'
import { runWork } from '#platform/work.ts'
import { type Command, print, withConfig } from './command.ts'

const readMailbox: Command = {
  usage: '[--to ADDRESS]',
  about: 'read the local mailbox: mails that the sample company would have sent',
  options: { to: { type: 'string' } },
  run: ({ to }) =>
    withConfig(async ({ databaseUrl }) => {
      const db = openDb(openPool(databaseUrl, { size: 2 }))
      const all = db.selectFrom('mailbox').selectAll().orderBy('id', 'desc').limit(20)
      const mails = await (typeof to === 'string' ? all.where('to_address', '=', to) : all).execute()
      for (const each of mails.toReversed())
        print(
          `${each.created_at.toISOString()}  ${each.to_address}\n${each.subject}\n\n${each.text}\n${'-'.repeat(72)}`,
        )
      if (mails.length === 0) print('The mailbox is empty.')
      await db.destroy()
    }),
}

const ACTOR = { call: 'limber mail unsuppress' }

const unsuppress: Command = {
  usage: '--email E --reason WHY',
  about: 'write to an address again that had opted out or could not be reached, as its owner wishes',
  options: { email: { type: 'string' }, reason: { type: 'string' } },
  run: ({ email, reason: why }) =>
    withConfig(async (config) => {
      const address = Email.safeParse(email)
      if (!address.success) throw new Error('--email must be an e-mail address.')
      const reason = Line(300).safeParse(why)
      if (!reason.success) throw new Error('--reason is needed: who asked for it, and when.')
      const db = openDb(openPool(config.databaseUrl, { size: 2 }))
      const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
      try {
        const before = await runWork({ db, keyring, clock: systemClock }, ACTOR, async (work) => {
          const [lifted] = await liftSuppression(work.db, 'mail', address.data)
          if (!lifted) throw new Error(`${address.data} is not on the list of those who get no mails to many.`)
          // The list names nobody, and neither does this.
          work.audit({ action: 'suppression_lifted', subject: 'suppression', before: lifted, reason: reason.data })
          return lifted
        })
        const since = before.created_at.toISOString().slice(0, 10)
        print(`${address.data} gets mails to many again. It was left out since ${since}: ${before.reason}.`)
      } finally {
        await db.destroy()
      }
    }),
}

/** Commands about mails. */
export const mailCommands: Record<string, Command> = { mail: readMailbox, 'mail unsuppress': unsuppress }
