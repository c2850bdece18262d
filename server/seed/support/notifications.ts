import type { Audience, NotificationChannel, NotificationStatus } from '@limber/contract/support/notification.ts'
import { sql } from 'kysely'
import { DAY, HOUR, MINUTE, SECOND, shift } from '#platform/clock.ts'
import { countReach, findZoneChoices } from '#support/audience.queries.ts'
import { audienceText } from '#support/notification.rules.ts'
import type { Story } from '../chapter.ts'

type Line = readonly [
  title: string,
  body: string,
  kind: Audience['kind'],
  channel: NotificationChannel,
  status: NotificationStatus,
]

/** From the newest to the oldest. */
const lines: readonly Line[] = [
  [
    'Holiday hours',
    'Hello {first_name},\n\nWe are closed on Thanksgiving and open again the day after.',
    'all',
    'mail',
    'scheduled',
  ],
  [
    'Your credits are waiting',
    'Hello {first_name},\n\nYou still have prepaid sessions. Book one this week?',
    'with_credits',
    'mail',
    'scheduled',
  ],
  ['Winter schedule', 'Hello {first_name},\n\nThe times for December are in the app.', 'active', 'mail', 'scheduled'],
  ['App update tonight', 'The app is away from 1 to 2 a.m. for an update.', 'active', 'mail', 'sent'],
  [
    'Water on Magnolia Avenue',
    'No water at the studio until noon. Sessions take place.',
    'upcoming_booking',
    'text',
    'sent',
  ],
  ['Wrong link', 'Please use the link in this message.', 'active', 'mail', 'undone'],
  [
    'New times in your zone',
    'Hello {first_name},\n\nThere are new times on weekday mornings.',
    'active',
    'mail',
    'sent',
  ],
  [
    'We miss you',
    'Hello {first_name},\n\nIt has been a while. Your next session is on us.',
    'inactive',
    'mail',
    'sent',
  ],
  [
    'Bring a friend',
    'Hello {first_name},\n\nBring a friend in November and both of you get a credit.',
    'active',
    'mail',
    'sent',
  ],
  [
    'Heat warning',
    'It is going to be hot, {first_name}. Drink enough before your session.',
    'upcoming_booking',
    'text',
    'sent',
  ],
  [
    'Flu season',
    'If you feel unwell, move your session without charge until two hours before.',
    'upcoming_booking',
    'mail',
    'sent',
  ],
  ['Team meeting', 'The monthly meeting is on Monday at 8.', 'stretchers', 'mail', 'sent'],
  [
    'Feedback wanted',
    'Hello {first_name},\n\nTell us in two minutes what we could do better.',
    'active',
    'mail',
    'sent',
  ],
  ['Road works on the 91', 'Plan ten more minutes for your way, please.', 'upcoming_booking', 'text', 'failed'],
  [
    'Price change in January',
    'Hello {first_name},\n\nPrices change on 1 January. Packs bought before keep theirs.',
    'all',
    'mail',
    'cancelled',
  ],
  [
    'New stretchers',
    'Hello {first_name},\n\nFour new stretchers have finished their training.',
    'active',
    'mail',
    'sent',
  ],
  ['Studio photos', 'The new studio is ready. Have a look.', 'active', 'mail', 'sent'],
  ['Uniforms', 'The new shirts are at the office.', 'stretchers', 'text', 'sent'],
  [
    'Autumn offer',
    'Hello {first_name},\n\nTen sessions for the price of nine until Sunday.',
    'with_credits',
    'mail',
    'sent',
  ],
  ['Test', 'This is a test.', 'stretchers', 'mail', 'undone'],
  ['Holiday on Labor Day', 'We are closed on Monday.', 'upcoming_booking', 'mail', 'sent'],
  ['Better reminders', 'Reminders now come by text the day before.', 'active', 'mail', 'sent'],
  ['Phone line down', 'Our phone is down; text this number instead.', 'upcoming_booking', 'text', 'sent'],
  ['Summer hours', 'Hello {first_name},\n\nFrom July we open at 6 in the morning.', 'active', 'mail', 'sent'],
  [
    'Welcome to the new app',
    'Hello {first_name},\n\nYour account has moved. Nothing else changes.',
    'all',
    'mail',
    'sent',
  ],
]

const WHOLE = { scheduled: false, undone: false, cancelled: false, sending: true, sent: true, failed: true } as const

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
  for (const [place, [title, body, kind, channel, status]] of [...lines.entries()].reverse()) {
    const inZone = place % 6 === 4 ? zone : undefined
    const audience: Audience = { kind, zoneId: inZone?.id ?? null, valueTier: place === 7 ? 'high' : null }
    const { people, opted_out } = await countReach(db, audience, channel, now)
    const created_at = shift(
      now,
      -(status === 'scheduled' ? 3 * HOUR * (place + 1) : place * 6 * DAY + random.whole(1, 9) * HOUR),
    )
    const isForLater = status === 'scheduled' || status === 'cancelled'
    const send_at = isForLater
      ? shift(status === 'scheduled' ? now : created_at, (place + 2) * DAY)
      : shift(created_at, 10 * SECOND)
    const isOver = WHOLE[status]
    const failed = status === 'failed' ? people : isOver ? Math.round(people * random.between(0, 0.02)) : 0
    const sent = isOver ? people - failed : 0
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
        created_by: random.pick(staff),
        created_at,
        started_at: isOver ? send_at : null,
        handed_over_at: isOver ? shift(send_at, 20 * SECOND) : null,
        ended_at: isOver
          ? shift(send_at, 3 * MINUTE)
          : isForLater && status !== 'cancelled'
            ? null
            : shift(created_at, 6 * SECOND),
        stopped_by: status === 'undone' || status === 'cancelled' ? random.pick(staff) : null,
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
