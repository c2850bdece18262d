import { paginate } from '@limber/contract/kit/page.ts'
import {
  listNotifications,
  type NotificationDraft,
  placeholderError,
  previewNotification,
  readNotification,
  readNotificationChoices,
  sendNotification,
  undoNotification,
  unknownPlaceholders,
} from '@limber/contract/support/notifications/notification.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { isSteppedUp } from '#platform/security/guard-request.ts'
import { checkBulkLimit, exceedsBulkLimit } from '../limits/needs-passkey.ts'
import { countReach, findZoneChoices, findZoneName } from './audience.queries.ts'
import { presentNotification } from './notification.present.ts'
import {
  cancelNotification,
  findFailures,
  findNotification,
  findNotifications,
  insertNotification,
} from './notification.queries.ts'
import {
  audienceText,
  composeEmail,
  composeText,
  decideSendAt,
  hasAudienceChanged,
  isTooLong,
} from './notification.rules.ts'
import { footerOf } from './send-bulk-email.ts'
import { startJobMessage } from './send-notification.ts'

async function show(db: Db, id: number) {
  const row = await findNotification(db, id)
  if (!row) throw refuse(readNotification, 'not_found')
  return presentNotification(row)
}

/** Refuses a draft that cannot be sent; returns its audience as text. */
async function checkDraft(
  db: Db,
  call: typeof previewNotification | typeof sendNotification,
  draft: NotificationDraft,
) {
  const { zoneId } = draft.audience
  const zone = zoneId === null ? undefined : await findZoneName(db, zoneId)
  if (zoneId !== null && !zone) throw refuse(call, 'no_zone')
  const fields = (['title', 'body'] as const).flatMap((path) => {
    const text = placeholderError(draft[path])
    return text ? [{ path, text }] : []
  })
  const found = unknownPlaceholders(`${draft.title}\n${draft.body}`).join(', ')
  if (found) throw refuse(call, 'unknown_placeholder', { values: { found }, fields })
  if (isTooLong(draft.channel, draft)) throw refuse(call, 'too_long')
  return audienceText(draft.audience, zone?.name)
}

const SAMPLE_NAME = 'Alex'
const channels = ['mail', 'text'] as const

export const notificationRoutes = [
  serve(listNotifications, async ({ query: { page, limit, ...query }, db }) => {
    const { total, rows } = await findNotifications(db, { ...query, limit, offset: (page - 1) * limit })
    return { data: rows.map(presentNotification), pagination: paginate(page, limit, total) }
  }),

  serve(readNotification, async ({ params: { id }, db }) => ({
    ...(await show(db, id)),
    failures: await findFailures(db, id),
  })),

  serve(readNotificationChoices, async ({ db, services }) => ({
    zones: await findZoneChoices(db),
    connected: channels.filter((channel) => services.channels.has(channel)),
    hasCompanyAddress: services.company.current().postalAddress !== '',
  })),

  serve(previewNotification, async ({ body, db, now, worker, services }) => {
    await checkDraft(db, previewNotification, body)
    const { people, opted_out, without_address } = await countReach(db, body.audience, body.channel, now)
    const companyAddress = footerOf(services.company.current())
    const footer = { unsubscribeUrl: `${services.config.publicUrl}/…`, companyAddress }
    return {
      people,
      optedOut: opted_out,
      withoutAddress: without_address,
      needsPasskey: await exceedsBulkLimit(db, worker.workerId, people, now),
      sample:
        body.channel === 'mail'
          ? { ...subjectAndText(composeEmail(body, SAMPLE_NAME, footer)) }
          : { subject: null, text: composeText(body, SAMPLE_NAME) },
    }
  }),

  serve(sendNotification, async ({ body, db, now, worker, audit, publish, enqueue, services }) => {
    const { sendAt: requestedAt, people: expected, ...draft } = body
    const text = await checkDraft(db, sendNotification, draft)
    const when = decideSendAt(requestedAt, now)
    if (when.refusal) throw refuse(sendNotification, when.refusal)
    if (!services.channels.has(draft.channel))
      throw refuse(sendNotification, draft.channel === 'mail' ? 'no_mail' : 'no_texts')
    const { people, opted_out } = await countReach(db, draft.audience, draft.channel, now)
    if (people === 0) throw refuse(sendNotification, 'nobody')
    if (hasAudienceChanged(expected, people)) throw refuse(sendNotification, 'moved', { values: { people } })
    await checkBulkLimit(db, worker, people, now)
    const { id } = await insertNotification(db, {
      ...draft,
      audience_text: text,
      send_at: when.sendAt,
      is_for_later: when.isForLater,
      has_passkey: isSteppedUp(worker, now),
      created_by: worker.workerId,
      created_at: now,
      people,
      waiting: people,
      opted_out,
    })
    enqueue(startJobMessage(id, when.sendAt))
    const after = {
      title: draft.title,
      channel: draft.channel,
      audience: text,
      people,
      sendAt: when.sendAt.toISOString(),
    }
    audit({ action: 'notification_sent', subject: 'notification', subjectId: id, after })
    publish('notifications', { notification: id })
    return show(db, id)
  }),

  serve(undoNotification, async ({ params: { id }, db, now, worker, audit, publish }) => {
    const stopped = await cancelNotification(db, id, worker.workerId, now)
    if (!stopped) {
      const found = await show(db, id)
      // Someone else was faster, or the first response was lost: the result is the requested one.
      if (found.status === 'undone' || found.status === 'cancelled') return found
      throw refuse(undoNotification, 'too_late')
    }
    audit({ action: `notification_${stopped.status}`, subject: 'notification', subjectId: id })
    publish('notifications', { notification: id })
    return show(db, id)
  }),
]

const subjectAndText = ({ subject, text }: { subject: string; text: string }) => ({ subject, text })
