import type {
  Audience,
  NotificationChannel,
  NotificationStatus,
} from '@limber/contract/support/notifications/notification.ts'
import { DAY, HOUR, MINUTE, SECOND, shift } from '@limber/server/platform/clock.ts'
import { countReach, findZoneChoices } from '@limber/server/support/notifications/audience.queries.ts'
import { audienceText } from '@limber/server/support/notifications/notification.rules.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

/** No job would ever finish one that is seeded as 'sending'. */
type FinalStatus = Exclude<NotificationStatus, 'sending'>

interface Plan {
  channel: NotificationChannel
  kind: Audience['kind']
  title: string
  body: string
  status: FinalStatus
}

const by =
  (channel: NotificationChannel) =>
  (kind: Audience['kind'], title: string, body: string, status: FinalStatus = 'sent'): Plan => ({
    channel,
    kind,
    title,
    body,
    status,
  })
const [byEmail, byText] = [by('mail'), by('text')]
const HELLO = 'Hello {first_name},\n\n'

/** Newest first. */
const plans: readonly Plan[] = [
  byEmail('all', 'Holiday hours', `${HELLO}We are closed on Thanksgiving and reopen the day after.`, 'scheduled'),
  byEmail(
    'with_credits',
    'Your credits are waiting',
    `${HELLO}You still have prepaid sessions. Book one this week?`,
    'scheduled',
  ),
  byEmail('active', 'Winter schedule', `${HELLO}December session times are now in the app.`, 'scheduled'),
  byEmail('active', 'App update tonight', 'The app will be unavailable from 1:00 AM to 2:00 AM for an update.'),
  byText(
    'upcoming_booking',
    'Water outage on Magnolia Avenue',
    'No water at the studio until noon. Sessions are not affected.',
  ),
  byEmail('active', 'Wrong link', 'Please use the link in this message.', 'undone'),
  byEmail('active', 'New times in your zone', `${HELLO}We added session times on weekday mornings.`),
  byEmail('inactive', 'We miss you', `${HELLO}It has been a while. Your next session is on us.`),
  byEmail('active', 'Bring a friend', `${HELLO}Bring a friend in November and you both get a credit.`),
  byText(
    'upcoming_booking',
    'Heat warning',
    'It is going to be hot, {first_name}. Drink plenty of water before your session.',
  ),
  byEmail(
    'upcoming_booking',
    'Flu season',
    'If you feel sick, reschedule at no charge up to two hours before your session.',
  ),
  byEmail('stretchers', 'Team meeting', 'The monthly meeting is on Monday at 8:00 AM.'),
  byEmail('active', 'Share your feedback', `${HELLO}Take two minutes to tell us what we could do better.`),
  byText('upcoming_booking', 'Road work on the 91', 'Please allow ten extra minutes to get to your session.', 'failed'),
  byEmail(
    'all',
    'Price change in January',
    `${HELLO}Prices change on January 1. Packs you buy before then keep the current price.`,
    'cancelled',
  ),
  byEmail('active', 'New stretchers', `${HELLO}Four new stretchers have finished their training.`),
  byEmail('active', 'Studio photos', 'The new studio is ready. Take a look.'),
  byText('stretchers', 'Uniforms', 'The new shirts are ready for pickup at the office.'),
  byEmail('with_credits', 'Fall offer', `${HELLO}Ten sessions for the price of nine until Sunday.`),
  byEmail('stretchers', 'Test', 'This is a test.', 'undone'),
  byEmail('upcoming_booking', 'Closed on Labor Day', 'We are closed on Monday.'),
  byEmail('active', 'Better reminders', 'You now get a text message reminder the day before your session.'),
  byText('upcoming_booking', 'Phone line down', 'Our phone line is down. Text this number instead.'),
  byEmail('active', 'Summer hours', `${HELLO}Starting in July, we open at 6:00 AM.`),
  byEmail('all', 'Welcome to the new app', `${HELLO}Your account has moved to the new app. Nothing else changes.`),
]

/** Sent, scheduled and undone notifications. Figures follow from the customers of the company. */
export async function seedNotifications(context: SeedContext, staff: readonly number[]) {
  const { db, calendar } = context
  const { now } = calendar
  const random = context.random('support/notifications')
  const [zone] = await findZoneChoices(db)
  // A few customers unsubscribed from emails, some from text messages.
  await sql`insert into suppressions (channel, address_hash, reason, source, created_at)
    select 'mail', sha256(convert_to(email, 'UTF8')), 'unsubscribed', 'link', ${shift(now, -20 * DAY)} from customers where id % 37 = 0
    union all select distinct 'text', sha256(convert_to(phone, 'UTF8')), 'stop_word', 'text message', ${shift(now, -20 * DAY)}::timestamptz
      from customers where phone is not null and id % 61 = 0
    on conflict do nothing`.execute(db)
  for (const [index, { title, body, kind, channel, status }] of [...plans.entries()].reverse()) {
    const inZone = index % 6 === 4 ? zone : undefined
    const audience: Audience = { kind, zoneId: inZone?.id ?? null, valueTier: index === 7 ? 'high' : null }
    const { people, opted_out } = await countReach(db, audience, channel, now)
    const isScheduled = status === 'scheduled'
    const isDone = status === 'sent' || status === 'failed'
    const isForLater = isScheduled || status === 'cancelled'
    const age = isScheduled ? 3 * HOUR * (index + 1) : index * 6 * DAY + random.integer(1, 9) * HOUR
    const created_at = shift(now, -age)
    const send_at = isForLater
      ? shift(isScheduled ? now : created_at, (index + 2) * DAY)
      : shift(created_at, 10 * SECOND)
    const failed = status === 'failed' ? people : isDone ? Math.round(people * random.between(0, 0.02)) : 0
    const sent = isDone ? people - failed : 0
    const times = isDone
      ? { started_at: send_at, handed_over_at: shift(send_at, 20 * SECOND), ended_at: shift(send_at, 3 * MINUTE) }
      : { started_at: null, handed_over_at: null, ended_at: isScheduled ? null : shift(created_at, 6 * SECOND) }
    await db
      .insertInto('notifications')
      .values({
        title,
        body,
        channel,
        audience: JSON.stringify(audience),
        audience_text: audienceText(audience, inZone?.name),
        status,
        send_at,
        is_for_later: isForLater,
        has_passkey: true,
        created_by: random.pick(staff),
        created_at,
        ...times,
        stopped_by: isDone || isScheduled ? null : random.pick(staff),
        people,
        waiting: isDone ? 0 : people,
        sent,
        delivered: channel === 'text' ? Math.round(sent * 0.96) : 0,
        failed,
        opted_out,
      })
      .execute()
  }
}
