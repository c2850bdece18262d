import { Readable } from 'node:stream'
import { allowImages, readMessageHtml, readTicketFile } from '@limber/contract/support/files/ticket-file.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { placeImages } from '../inbox/clean-email.rules.ts'
import { lockTicket } from '../tickets/ticket.queries.ts'
import { allowSender, blockSender, findMessageHtml, findSender } from './message-html.queries.ts'

// Emails are written for white paper.
const STYLES = `:root{color-scheme:light}body{margin:0;padding:8px;background:#fff;color:#1d2629;
font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%;height:auto}table{max-width:100%}
summary{width:fit-content;padding:2px 8px;border-radius:4px;background:#eef1f2;color:#465357;font-size:12px;cursor:pointer}
blockquote{margin:4px 0;padding-left:10px;border-left:2px solid #d5dcde}`

const pageOf = (html: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Email</title><base target="_blank">
<style>${STYLES}</style></head><body>${html}</body></html>`

/** No scripts, no forms, nothing from elsewhere but the images of a sender for whom they are allowed. */
const policyOf = (showsRemote: boolean) =>
  [
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `img-src 'self' data:${showsRemote ? ' https:' : ''}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

const addressOf = (id: number) => readTicketFile.path.replace(':id', () => String(id))

export const messageHtmlRoutes = [
  serve(readMessageHtml, async ({ params, db, reply }) => {
    const found = await findMessageHtml(db, params.id)
    if (!found) throw refuse(readMessageHtml, 'not_found')
    const images = new Map(found.images.map(({ id, content_id }) => [content_id, addressOf(id)]))
    reply.header('content-type', 'text/html; charset=utf-8')
    reply.header('content-security-policy', policyOf(found.shows_remote))
    reply.header('x-frame-options', 'SAMEORIGIN')
    return Readable.from([pageOf(placeImages(found.html, (id) => images.get(id)))])
  }),

  serve(allowImages, async ({ params, body: { messageId, isAllowed }, db, now, worker, audit, publish }) => {
    const ticket = await lockTicket(db, params.id)
    const sender = ticket && (await findSender(db, ticket.id, messageId))
    if (!ticket || !sender) throw refuse(allowImages, 'not_found')
    if (isAllowed) await allowSender(db, sender, worker.workerId, now)
    else await blockSender(db, sender)
    const action = isAllowed ? 'sender_images_allowed' : 'sender_images_blocked'
    audit({ action, subject: 'ticket', subjectId: ticket.id })
    publish('tickets', { ticket: ticket.id })
    return { isAllowed }
  }),
]
