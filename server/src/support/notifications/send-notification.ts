import { setTimeout as sleep } from 'node:timers/promises'
import { PASSKEY_ABOVE } from '@limber/contract/support/notifications/notification.ts'
import { DAY, MINUTE, SECOND, shift } from '#platform/clock.ts'
import { type OutboxMessage, runWork, type Work } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Services } from '#platform/services.ts'
import { insertOutgoing } from '../texts/text.queries.ts'
import { countReach, insertRecipients } from './audience.queries.ts'
import {
  endUndeliverable,
  failNotification,
  findDue,
  findSending,
  findUnsettled,
  saveQueued,
  settleNotification,
  startNotification,
} from './notification.queries.ts'
import { composeEmail, composeText, missingPasskeyReason } from './notification.rules.ts'
import { lockWaitingRecipients, type Recipient, saveRecipientStates } from './recipient.queries.ts'
import { sendBulkEmail } from './send-bulk-email.ts'

const QUEUE = 'send-notification'
const BATCH_SIZE = 200
const actor = { call: `job ${QUEUE}` }

/** Starts a notification at its send time. */
export const startJobMessage = (id: number, at: Date): OutboxMessage => ({
  channel: 'job',
  key: `notification:${id}:start`,
  about: `notification ${id}`,
  payload: { name: QUEUE, data: { notificationId: id } },
  notBefore: at,
})

type ReachableRecipient = Recipient & { address: string }
type Draft = NonNullable<Awaited<ReturnType<typeof findSending>>>

const queueEmails = (work: Work, services: Services, draft: Draft, people: readonly ReachableRecipient[]) =>
  sendBulkEmail(work, services, {
    type: 'notification',
    about: `notification ${draft.id}`,
    people: people.map(({ customer_id, outbox_key, first_name, address }) => ({
      key: outbox_key,
      to: address,
      customerId: customer_id,
      firstName: first_name,
    })),
    compose: ({ firstName }, footer) => composeEmail(draft, firstName, footer),
  })

async function queueTexts(
  { db, now, enqueue, publish }: Work,
  number: string,
  draft: Draft,
  people: readonly ReachableRecipient[],
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
function queueNextBatch(services: Services, id: number): Promise<boolean> {
  return runWork(services, actor, async (work) => {
    const draft = await findSending(work.db, id)
    if (!draft) return false
    const people = await lockWaitingRecipients(work.db, id, draft.channel, BATCH_SIZE)
    if (people.length === 0) {
      await saveQueued(work.db, id, work.now)
      return false
    }
    await saveRecipientStates(work.db, id, people)
    const reached = people.filter(
      (person): person is ReachableRecipient => !person.is_excluded && person.address !== null,
    )
    if (reached.length > 0) {
      if (draft.channel === 'mail') await queueEmails(work, services, draft, reached)
      else if (services.texts) await queueTexts(work, services.texts.number, draft, reached)
      else throw new Error('Text messages are not connected. Set up a text message service first.')
    }
    work.publish('notifications', { notification: id })
    return true
  })
}

/** Sends a due notification, or continues after an interrupted run. */
export async function sendNotificationNow(services: Services, id: number): Promise<void> {
  await runWork(services, actor, async ({ db, now, publish }) => {
    const started = await startNotification(db, id, now)
    if (!started) return
    // The audience may have changed since the notification was created.
    const people = started.has_passkey ? 0 : (await countReach(db, started.audience, started.channel, now)).people
    if (people > PASSKEY_ABOVE) await failNotification(db, id, people, missingPasskeyReason(people), now)
    else await insertRecipients(db, started, now)
    publish('notifications', { notification: id })
  })
  const draft = await findSending(services.db, id)
  if (!draft) return
  // Emails can wait for a mail server. A text message has no sender number without its service.
  if (draft.channel === 'text' && !services.texts) return endUndelivered(services, id)
  while (await queueNextBatch(services, id));
  await settle(services, id)
}

function endUndelivered(services: Services, id: number): Promise<void> {
  return runWork(services, actor, async ({ db, now, publish }) => {
    await endUndeliverable(db, id, now)
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

const WATCH_FOR = 2 * MINUTE

export const sendNotificationJob: Job = {
  name: QUEUE,
  async run(services, data) {
    const id = Number(data.notificationId)
    await sendNotificationNow(services, id)
    // Most messages are delivered within seconds; the schedule handles the rest.
    const end = performance.now() + WATCH_FOR
    while (performance.now() < end && (await findSending(services.db, id))) {
      await sleep(1 * SECOND)
      if (await settle(services, id)) return
    }
  },
}

const REPORT_WINDOW = 7 * DAY
const OVERDUE_AFTER = 2 * MINUTE

/** Continues interrupted notifications and stores late delivery reports. */
export async function resumeNotifications(services: Services) {
  const { db, clock } = services
  const due = await findDue(db, shift(clock.now(), -OVERDUE_AFTER))
  for (const { id } of due) await sendNotificationNow(services, id)
  const unsettled = await findUnsettled(db, shift(clock.now(), -REPORT_WINDOW))
  for (const id of unsettled) await settle(services, id)
  return { takenUp: due.length, settled: unsettled.length }
}
