import { setTimeout as sleep } from 'node:timers/promises'
import { PASSKEY_ABOVE } from '@limber/contract/support/notifications/notification.ts'
import { DAY, MINUTE, SECOND, shift } from '#platform/clock.ts'
import { type OutboxMessage, runWork, type Work } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Services } from '#platform/services.ts'
import { insertOutgoing } from '../texts/text.queries.ts'
import { countReach, insertRecipients } from './audience.queries.ts'
import { mailMany } from './mail-many.ts'
import {
  beginNotification,
  findDue,
  findSending,
  findUnsettled,
  giveUpNotification,
  saveHandedOver,
  settleNotification,
  turnDownNotification,
} from './notification.queries.ts'
import { composeMail, composeText, withoutPasskey } from './notification.rules.ts'
import { lockWaiting, type Recipient, saveStates } from './recipient.queries.ts'

const QUEUE = 'send-notification'
const PORTION = 200
const actor = { call: `job ${QUEUE}` }

/** Starts a notification at its send time. */
export const startMessage = (id: number, at: Date): OutboxMessage => ({
  channel: 'job',
  key: `notification:${id}:start`,
  about: `notification ${id}`,
  payload: { name: QUEUE, data: { notificationId: id } },
  notBefore: at,
})

type Reached = Recipient & { address: string }
type Draft = NonNullable<Awaited<ReturnType<typeof findSending>>>

const postMails = (work: Work, services: Services, draft: Draft, people: readonly Reached[]) =>
  mailMany(work, services, {
    type: 'notification',
    about: `notification ${draft.id}`,
    people: people.map(({ customer_id, outbox_key, first_name, address }) => ({
      key: outbox_key,
      to: address,
      customerId: customer_id,
      firstName: first_name,
    })),
    compose: ({ firstName }, foot) => composeMail(draft, firstName, foot),
  })

async function postTexts(
  { db, now, enqueue, publish }: Work,
  number: string,
  draft: Draft,
  people: readonly Reached[],
) {
  const texts = people.map(({ outbox_key, first_name, address }) => ({
    from_number: number,
    to_number: address,
    body: composeText(draft, first_name),
    worker_id: null,
    outbox_key,
  }))
  await insertOutgoing(db, texts, now)
  publish('texts')
  for (const { outbox_key: key, to_number: to, body } of texts)
    enqueue({ channel: 'text', key, payload: { to, body, isBulk: true }, about: `notification ${draft.id}` })
}

/** Queues the next batch and marks its recipients in one transaction, so that no one gets it twice. */
function handOver(services: Services, id: number): Promise<boolean> {
  return runWork(services, actor, async (work) => {
    const draft = await findSending(work.db, id)
    if (!draft) return false
    const people = await lockWaiting(work.db, id, draft.channel, PORTION)
    if (people.length === 0) {
      await saveHandedOver(work.db, id, work.now)
      return false
    }
    await saveStates(work.db, id, people)
    const reached = people.filter((person): person is Reached => !person.is_out && person.address !== null)
    if (reached.length > 0) {
      if (draft.channel === 'mail') await postMails(work, services, draft, reached)
      else if (services.texts) await postTexts(work, services.texts.number, draft, reached)
      else throw new Error('No text-message service is set up.')
    }
    work.publish('notifications', { notification: id })
    return true
  })
}

/** Sends a due notification, or continues after an interrupted run. */
export async function sendNotificationNow(services: Services, id: number): Promise<void> {
  await runWork(services, actor, async ({ db, now, publish }) => {
    const begun = await beginNotification(db, id, now)
    if (!begun) return
    // The audience may have changed since the notification was created.
    const people = begun.has_passkey ? 0 : (await countReach(db, begun.audience, begun.channel, now)).people
    if (people > PASSKEY_ABOVE) await turnDownNotification(db, id, people, withoutPasskey(people), now)
    else await insertRecipients(db, begun, now)
    publish('notifications', { notification: id })
  })
  const draft = await findSending(services.db, id)
  if (!draft) return
  // Emails can wait for a mail server. A text message has no sender number without its service.
  if (draft.channel === 'text' && !services.texts) return giveUp(services, id)
  while (await handOver(services, id));
  await settle(services, id)
}

function giveUp(services: Services, id: number): Promise<void> {
  return runWork(services, actor, async ({ db, now, publish }) => {
    await giveUpNotification(db, id, now)
    publish('notifications', { notification: id })
  })
}

/** Stores the counts; returns whether the notification has ended. */
function settle(services: Services, id: number): Promise<boolean> {
  return runWork(services, { call: 'settle notification' }, async ({ db, now, publish }) => {
    const ended = await settleNotification(db, id, now)
    if (ended) publish('notifications', { notification: id })
    return ended !== undefined
  })
}

const WATCHED = 2 * MINUTE

export const sendNotificationJob: Job = {
  name: QUEUE,
  async run(services, data) {
    const id = Number(data.notificationId)
    await sendNotificationNow(services, id)
    // Most messages are delivered within seconds; the schedule handles the rest.
    const end = performance.now() + WATCHED
    while (performance.now() < end && (await findSending(services.db, id))) {
      await sleep(1 * SECOND)
      if (await settle(services, id)) return
    }
  },
}

const REPORTS_COME_FOR = 7 * DAY
const OVERDUE = 2 * MINUTE

/** Continues interrupted notifications and stores late delivery reports. */
export async function tendNotifications(services: Services) {
  const { db, clock } = services
  const due = await findDue(db, shift(clock.now(), -OVERDUE))
  for (const { id } of due) await sendNotificationNow(services, id)
  const unsettled = await findUnsettled(db, shift(clock.now(), -REPORTS_COME_FOR))
  for (const id of unsettled) await settle(services, id)
  return { takenUp: due.length, settled: unsettled.length }
}
