import { DAY, MINUTE, shift } from '@limber/server/platform/clock.ts'
import { draftText } from '@limber/server/support/texts/text.factory.ts'
import { sql } from 'kysely'
import { OWN_NUMBER } from '../people/phone-book.ts'
import type { Random } from '../random.ts'
import type { SeedContext } from '../seeder.ts'
import { textThreads } from './text-threads.ts'

const TEXTS = 1_500
const TEXTERS = 400

interface Texter {
  first_name: string
  phone: string
  joined_at: Date
}

/** The most recent customers. If accounts share a number, the one used last. */
async function findTexters({ db }: SeedContext): Promise<Texter[]> {
  const { rows } = await sql<Texter>`
    select first_name, phone, joined_at from (
      select distinct on (phone) id, first_name, phone, joined_at, last_login_at from customers
      where phone is not null and last_login_at is not null
      order by phone, last_login_at desc, id) c
    order by last_login_at desc, id limit ${TEXTERS}`.execute(db)
  return rows
}

const sidOf = (random: Random) =>
  `SM${Array.from({ length: 8 }, () =>
    Math.floor(random.next() * 65_536)
      .toString(16)
      .padStart(4, '0'),
  ).join('')}`

const failures = ['The phone was unreachable.', 'The carrier filtered the message.', 'The number is a landline.']

/** The delivery state of an outgoing message: nearly all are delivered, the newest are not yet. */
function deliveryOf(random: Random, sentAt: Date, now: Date) {
  if (now.getTime() - sentAt.getTime() < 5 * MINUTE) return { state: 'sent' as const, error: null }
  if (random.chance(0.02)) return { state: 'failed' as const, error: random.pick(failures) }
  return { state: random.chance(0.93) ? ('delivered' as const) : ('sent' as const), error: null }
}

/** Text conversations: reminders, questions, and replies within minutes. */
export async function seedTexts(context: SeedContext, staff: readonly number[]) {
  const random = context.random('support/texts')
  const { now } = context.calendar
  const texters = await findTexters(context)
  const rows: ReturnType<typeof draftText>[] = []
  while (rows.length < TEXTS) {
    const texter = random.pick(texters)
    const worker_id = random.pick(staff)
    // More in recent weeks, because the company grows.
    const from = Math.max(texter.joined_at.getTime(), shift(now, -180 * DAY).getTime())
    const day = Math.floor(context.calendar.dayOf(new Date(from + Math.sqrt(random.next()) * (now.getTime() - from))))
    let sent_at = context.calendar.at(day, random.integer(8 * 60, 18 * 60))
    for (const [sender, body] of random.pick(textThreads)) {
      if (sent_at > now || rows.length >= TEXTS) break
      const is_outgoing = sender === 's'
      rows.push(
        draftText({
          sid: sidOf(random),
          is_outgoing,
          from_number: is_outgoing ? OWN_NUMBER : texter.phone,
          to_number: is_outgoing ? texter.phone : OWN_NUMBER,
          body: body.replaceAll('{n}', () => texter.first_name),
          sent_at,
          ...(is_outgoing && { worker_id, ...deliveryOf(random, sent_at, now) }),
        }),
      )
      sent_at = shift(sent_at, Math.round(random.between(1, 45) * MINUTE))
    }
  }
  await context.copy(
    'texts',
    rows.sort((a, b) => new Date(a.sent_at).getTime() - new Date(b.sent_at).getTime()),
  )
}
