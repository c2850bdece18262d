import { readUnsubscribe, unsubscribe } from '@limber/contract/support/notifications/notification.ts'
import { runWork } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { isUnsubscribeToken, unsubscribeByToken } from '#platform/mail/suppressions.ts'
import { publicPage } from '../public-page.ts'

export const unsubscribeRoutes = [
  serve(readUnsubscribe, ({ params: { token }, reply, services }) => {
    if (!isUnsubscribeToken(services.keyring, token)) throw refuse(readUnsubscribe, 'bad_link')
    return publicPage(
      reply,
      'Unsubscribe from our messages?',
      `<p>You will no longer receive news or offers at this address. You will still receive replies to your questions and booking confirmations.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`,
    )
  }),

  serve(
    unsubscribe,
    async ({ params: { token }, request, reply, services, now }) => {
      const actor = { call: 'POST /api/unsubscribe/:token', requestId: request.id }
      const isDone = await runWork(services, actor, async ({ db, audit }) => {
        const isOurs = await unsubscribeByToken(db, services.keyring, token, now)
        if (isOurs) audit({ action: 'unsubscribed', subject: 'suppression' })
        return isOurs
      })
      if (!isDone) throw refuse(unsubscribe, 'bad_link')
      return publicPage(
        reply,
        'You are unsubscribed',
        '<p>You will no longer receive news or offers at this address. You can close this page.</p>',
      )
    },
    { transaction: 'none' },
  ),
]
