import type {
  Audience,
  NotificationChannel,
  NotificationStatus,
} from '@limber/contract/support/notifications/notification.ts'
import { DAY, HOUR, MINUTE, SECOND, shift } from '@limber/server/platform/clock.ts'
import { countReach, findZoneChoices } from '@limber/server/support/notifications/audience.queries.ts'
import { audienceText } from '@limber/server/support/notifications/notification.rules.ts'
import { sql } from 'kysely'
import type { Story } from '../chapter.ts'

/** Nobody would ever end one that the story leaves on its way. */
type Fate = Exclude<NotificationStatus, 'sending'>

interface Line {
  channel: NotificationChannel
  kind: Audience['kind']
  title: string
  body: string
  status: Fate
}

const by =
  (channel: NotificationChannel) =>
  (kind: Audience['kind'], title: string, body: string, status: Fate = 'sent'): Line => ({
    channel,
    kind,
    title,
    body,
    status,
  })
const [byMail, byText] = [by('mail'), by('text')]
const HELLO = 'Hello {first_name},\n\n'

/** From the newest to the oldest. */
const lines: readonly Line[] = [
  byMail('all', 'Holiday hours', `${HELLO}We are closed on Thanksgiving and reopen the day after.`, 'scheduled'),
  byMail(
    'with_credits',
    'Your credits are waiting',
    `${HELLO}You still have prepaid sessions. Book one this week?`,
    'scheduled',
  ),
  byMail('active', 'Winter schedule', `${HELLO}December session times are now in the app.`, 'scheduled'),
  byMail('active', 'App update tonight', 'The app will be unavailable from 1:00 AM to 2:00 AM for an update.'),
  byText(
    'upcoming_booking',
    'Water outage on Magnolia Avenue',
    'No water at the studio until noon. Sessions are not affected.',
  ),
  byMail('active', 'Wrong link', 'Please use the link in this message.', 'undone'),
  byMail('active', 'New times in your zone', `${HELLO}We added session times on weekday mornings.`),
  byMail('inactive', 'We miss you', `${HELLO}It has been a while. Your next session is on us.`),
  byMail('active', 'Bring a friend', `${HELLO}Bring a friend in November and you both get a credit.`),
  byText(
    'upcoming_booking',
    'Heat warning',
    'It is going to be hot, {first_name}. Drink plenty of water before your session.',
  ),
  byMail(
    'upcoming_booking',
    'Flu season',
    'If you feel sick, reschedule at no charge up to two hours before your session.',
  ),
  byMail('stretchers', 'Team meeting', 'The monthly meeting is on Monday at 8:00 AM.'),
  byMail('active', 'Share your feedback', `${HELLO}Take two minutes to tell us what we could do better.`),
  byText('upcoming_booking', 'Road work on the 91', 'Please allow ten extra minutes to get to your session.', 'failed'),
  byMail(
    'all',
    'Price change in January',
    `${HELLO}Prices change on January 1. Packs you buy before then keep the current price.`,
    'cancelled',
  ),
  byMail('active', 'New stretchers', `${HELLO}Four new stretchers have finished their training.`),
  byMail('active', 'Studio photos', 'The new studio is ready. Take a look.'),
  byText('stretchers', 'Uniforms', 'The new shirts are ready for pickup at the office.'),
  byMail('with_credits', 'Fall offer', `${HELLO}Ten sessions for the price of nine until Sunday.`),
  byMail('stretchers', 'Test', 'This is a test.', 'undone'),
  byMail('upcoming_booking', 'Closed on Labor Day', 'We are closed on Monday.'),
  byMail('active', 'Better reminders', 'You now get a text message reminder the day before your session.'),
  byText('upcoming_booking', 'Phone line down', 'Our phone line is down. Text this number instead.'),
  byMail('active', 'Summer hours', `${HELLO}Starting in July, we open at 6:00 AM.`),
  byMail('all', 'Welcome to the new app', `${HELLO}Your account has moved to the new app. Nothing else changes.`),
]

/** What was sent to many, what waits for its day, and what was taken back. Figures follow from who the company knows. */
export async function tellNotifications(story: Story, staff: readonly number[]) {
  const { db, calendar } = story
  const { now } = calendar
  const random = story.random('support/notifications')
  const [zone] = await findZoneChoices(db)
  // A few have had enough of mails, and some of texts.
  await sql`insert into suppressions (channel, address_hash, reason, source, created_at)
    select 'mail', sha256(convert_to(email, 'UTF8')), 'unsubscribed', 'link', ${shift(now, -20 * DAY)} from customers where id % 37 = 0
    union all select distinct 'text', sha256(convert_to(phone, 'UTF8')), 'stop_word', 'text message', ${shift(now, -20 * DAY)}::timestamptz
      from customers where phone is not null and id % 61 = 0
    on conflict do nothing`.execute(db)
  for (const [place, { title, body, kind, channel, status }] of [...lines.entries()].reverse()) {
    const inZone = place % 6 === 4 ? zone : undefined
    const audience: Audience = { kind, zoneId: inZone?.id ?? null, valueTier: place === 7 ? 'high' : null }
    const { people, opted_out } = await countReach(db, audience, channel, now)
    const isAhead = status === 'scheduled'
    const isOver = status === 'sent' || status === 'failed'
    const isForLater = isAhead || status === 'cancelled'
    const age = isAhead ? 3 * HOUR * (place + 1) : place * 6 * DAY + random.whole(1, 9) * HOUR
    const created_at = shift(now, -age)
    const send_at = isForLater ? shift(isAhead ? now : created_at, (place + 2) * DAY) : shift(created_at, 10 * SECOND)
    const failed = status === 'failed' ? people : isOver ? Math.round(people * random.between(0, 0.02)) : 0
    const sent = isOver ? people - failed : 0
    const fate = isOver
      ? { started_at: send_at, handed_over_at: shift(send_at, 20 * SECOND), ended_at: shift(send_at, 3 * MINUTE) }
      : { started_at: null, handed_over_at: null, ended_at: isAhead ? null : shift(created_at, 6 * SECOND) }
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
        ...fate,
        stopped_by: isOver || isAhead ? null : random.pick(staff),
        people,
        waiting: isOver ? 0 : people,
        sent,
        delivered: channel === 'text' ? Math.round(sent * 0.96) : 0,
        failed,
        opted_out,
      })
      .execute()
  }
}
