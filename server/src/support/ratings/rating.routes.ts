import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import {
  MAX_RATING_COMMENT,
  type Rating,
  rateTicket,
  ratingLabels,
  readRatingPage,
  readRatingSettings,
  saveRatingSettings,
} from '@limber/contract/support/ratings/rating.ts'
import { runWork } from '#platform/db/work.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { type ReplyFacts, serve } from '#platform/http/routes.ts'
import type { Services } from '#platform/services.ts'
import { escapeHtml } from '../inbox/email-html.rules.ts'
import { publicPage } from '../public-page.ts'
import {
  type AskedRow,
  findAsked,
  findRatingSettings,
  lockAsked,
  lockRatingSettings,
  type RatingSettingsRow,
  saveRating,
  saveRatingSettings as saveSettings,
} from './rating.queries.ts'
import { expiryOf, isExpired, type Link } from './rating.rules.ts'
import { openRatingToken } from './rating-link.ts'

const present = ({ is_on, version }: RatingSettingsRow) => ({ isOn: is_on, version })

type Problem = 'bad_link' | 'expired'

/** The reader is a customer: a page, not an error message of a program. */
function problemPage(reply: ReplyFacts, problem: Problem) {
  const [status, text] = rateTicket.refusals[problem]
  reply.status(status)
  return publicPage(reply, text, '<p>Reply to our last email if you want to tell us something.</p>')
}

function linkOf({ keyring }: Pick<Services, 'keyring'>, token: string, now: Date): Link | Problem {
  const link = openRatingToken(keyring, token)
  if (!link) return 'bad_link'
  return isExpired(link, now) ? 'expired' : link
}

const choiceHtml = (value: Rating, chosen: Rating | null | undefined) =>
  `<label><input type="radio" name="rating" value="${value}" required${value === chosen ? ' checked' : ''}> ${ratingLabels[value]}</label>`

/** Nothing is rated before the button is pressed. */
function formPage(reply: ReplyFacts, row: AskedRow, chosen: Rating | undefined, problem = '') {
  const until = formatDay(companyDay(expiryOf({ askedAt: row.asked_at })))
  const known = row.rating ? `<p>You rated this ${ratingLabels[row.rating]}. You can change it until ${until}.</p>` : ''
  return publicPage(
    reply,
    'How did we do?',
    `<p>Your request: ${escapeHtml(row.subject)}</p>${known}${problem && `<p class="error" role="alert">${problem}</p>`}
<form method="post"><fieldset><legend>Were you happy with our help?</legend>${choiceHtml('good', chosen ?? row.rating)}${choiceHtml('bad', chosen ?? row.rating)}</fieldset>
<label for="comment">Comment (optional)</label><textarea id="comment" name="comment" maxlength="${MAX_RATING_COMMENT}">${escapeHtml(row.comment ?? '')}</textarea>
<button>Send rating</button></form>`,
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
const commentOf = (typed: string) => typed.replaceAll('\r\n', '\n').replace(control, '').trim()

export const ratingRoutes = [
  serve(readRatingSettings, async ({ db }) => present(await findRatingSettings(db))),

  serve(saveRatingSettings, async ({ body, db, now, worker, audit, publish }) => {
    const show = async () => present(await findRatingSettings(db))
    const before = await loadForUpdate(saveRatingSettings, lockRatingSettings(db), body.version, show)
    await saveSettings(db, body.isOn, worker.workerId, now)
    audit({
      action: 'ratings_switched',
      subject: 'promises',
      before: { isOn: before.is_on },
      after: { isOn: body.isOn },
    })
    publish('promises')
    return show()
  }),

  serve(readRatingPage, async ({ params: { token }, query: { choice }, db, now, reply, services }) => {
    const link = linkOf(services, token, now)
    if (typeof link === 'string') return problemPage(reply, link)
    const row = await findAsked(db, link.ticketId, link.askedAt)
    return row ? formPage(reply, row, choice) : problemPage(reply, 'bad_link')
  }),

  serve(
    rateTicket,
    async ({ params: { token }, body: { rating, comment: typed }, request, reply, services, now }) => {
      const link = linkOf(services, token, now)
      if (typeof link === 'string') return problemPage(reply, link)
      const comment = commentOf(typed)
      const actor = { call: 'POST /api/rating/:token', requestId: request.id }
      const row = await runWork(services, actor, async ({ db, audit, publish }) => {
        const found = await lockAsked(db, link.ticketId, link.askedAt)
        if (!found || !rating || comment.length > MAX_RATING_COMMENT) return found
        await saveRating(db, link.ticketId, rating, comment || null, now)
        // Without the comment: it is the customer's text.
        audit({
          action: 'ticket_rated',
          subject: 'ticket',
          subjectId: link.ticketId,
          before: { rating: found.rating },
          after: { rating },
        })
        publish('tickets', { ticket: link.ticketId })
        return found
      })
      if (!row) return problemPage(reply, 'bad_link')
      const draft = { ...row, comment }
      if (!rating) return formPage(reply, draft, undefined, 'Select Good or Bad.')
      if (comment.length > MAX_RATING_COMMENT)
        return formPage(reply, draft, rating, `The comment can have at most ${MAX_RATING_COMMENT} characters.`)
      const until = formatDay(companyDay(expiryOf({ askedAt: row.asked_at })))
      return publicPage(
        reply,
        'Thank you',
        `<p>You rated our help ${ratingLabels[rating]}. You can change it with the same link until ${until}.</p>`,
      )
    },
    { transaction: 'none' },
  ),
]
