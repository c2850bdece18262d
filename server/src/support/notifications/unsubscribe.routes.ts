import { readUnsubscribe, unsubscribe } from '@limber/contract/support/notifications/notification.ts'
import { runWork } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type ReplyFacts, serve } from '#platform/http/routes.ts'
import { isUnsubscribeToken, unsubscribeByToken } from '#platform/mail/suppressions.ts'
import { randomToken } from '#platform/security/secrets.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
body { max-width: 26rem; margin: 15vh auto 0; padding: 0 1.5rem; color: light-dark(#111b1e, #eaedee); background: light-dark(#f4f7f8, #0d1314); }
h1 { font-size: 1.25rem; } p { color: light-dark(#445356, #b9c1c3); }
button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: 6px; color: #fff; background: light-dark(#0f605e, #187674); cursor: pointer; }
button:focus-visible { outline: 2px solid light-dark(#187674, #5eb6b2); outline-offset: 2px; }`

/** A page that works in any browser without scripts: the reader does not use this product. */
function page(reply: ReplyFacts, title: string, content: string): string {
  const nonce = randomToken(16)
  reply.header('content-type', 'text/html; charset=utf-8')
  reply.header(
    'content-security-policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style nonce="${nonce}">${style}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`
}

export const unsubscribeRoutes = [
  serve(readUnsubscribe, ({ params: { token }, reply, services }) => {
    if (!isUnsubscribeToken(services.keyring, token)) throw refuse(readUnsubscribe, 'bad_link')
    return page(
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
      return page(
        reply,
        'You are unsubscribed',
        '<p>You will no longer receive news or offers at this address. You can close this page.</p>',
      )
    },
    { transaction: 'none' },
  ),
]
