import { HOUR, MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { SeedContext } from '../seeder.ts'

interface EmailKind {
  about: string
  subject: string
  weight: number
}

const emails: readonly EmailKind[] = [
  { about: 'device code', subject: 'Your Limber sign-in code', weight: 9 },
  { about: 'new device', subject: 'A new device signed in', weight: 2 },
  { about: 'payroll audit finished', subject: 'Payroll audit finished', weight: 1 },
  { about: 'weekly summary', subject: 'Your week at a glance', weight: 2 },
]

interface FailedDelivery {
  channel: 'mail' | 'text' | 'ad' | 'push'
  about: string
  payload: object
  /** Created this many minutes ago. */
  ago: number
  state: 'waiting' | 'dead' | 'discarded'
  tries: number
  error?: string
  /** Minutes from now. */
  next?: number
  reason?: string
}

const failures: readonly FailedDelivery[] = [
  {
    channel: 'mail',
    about: 'onboarding reminder',
    payload: {
      to: 'noor.siddiqui@example.com',
      subject: 'Set up your Limber account',
      text: 'Your setup link is still valid.',
    },
    ago: 34,
    state: 'waiting',
    tries: 5,
    error: '451 4.7.1 <n•••@example.com>: Greylisting in action, try again later',
    next: 46,
  },
  {
    channel: 'mail',
    about: 'invoice for Riverside Climbing',
    payload: { to: 'accounts@riverside-climbing.example', subject: 'Your invoice for October', text: 'Attached.' },
    ago: 212,
    state: 'dead',
    tries: 1,
    error: '550 5.1.1 <a•••@riverside-climbing.example>: Recipient address rejected: user unknown',
  },
  {
    channel: 'mail',
    about: 'on-site schedule for Harbor Freight Yoga',
    payload: { to: 'desk@harbor-yoga.example', subject: 'Your sessions next week', text: 'Monday at 10:00 AM.' },
    ago: 1450,
    state: 'dead',
    tries: 10,
    error: 'connect ETIMEDOUT',
  },
  {
    channel: 'ad',
    about: 'campaign: Desk workers, Riverside',
    payload: { campaignId: 3, step: 'create ad set' },
    ago: 610,
    state: 'dead',
    tries: 1,
    error: 'The ad account rejected the ad set: the daily budget is below the minimum.',
  },
  {
    channel: 'mail',
    about: 'partner welcome',
    payload: { to: 'hello@oldgym.example', subject: 'Welcome', text: 'Good to have you with us.' },
    ago: 3110,
    state: 'discarded',
    tries: 10,
    error: '550 5.4.1 Recipient address rejected: access denied',
    reason: 'The partner closed. The contract ended in September.',
  },
  {
    channel: 'text',
    about: 'session reminder',
    payload: { to: '+15625550142', text: 'See you tomorrow at 9:00 AM.' },
    ago: 18,
    state: 'waiting',
    tries: 0,
    next: 0,
  },
  {
    channel: 'push',
    about: 'notification: November offers',
    payload: { title: 'November offers', audience: 'customers in Long Beach' },
    ago: 6,
    state: 'waiting',
    tries: 0,
    next: 0,
  },
]

/** A week of sent emails, and a few deliveries in every other state. */
export async function seedDeliveries({ db, calendar, random, copy, seal }: SeedContext): Promise<void> {
  const draw = random('deliveries')
  const { now } = calendar
  const workers = await db
    .selectFrom('workers')
    .select(['id', 'email', 'role'])
    .where('status', '=', 'active')
    .orderBy('id')
    .execute()
  const tech = workers.find(({ role }) => role === 'Tech')?.id ?? null
  const blank = {
    leased_until: null,
    retried_at: null,
    retried_by: null,
    discarded_at: null,
    discarded_by: null,
    discard_reason: null,
  }
  const sent = Array.from({ length: 96 }, (_, index) => {
    const at = shift(now, -(index * 105 + draw.integer(1, 90)) * MINUTE)
    const mail = emails[draw.weighted(emails.map(({ weight }) => weight))] ?? emails[0]
    const { email } = draw.pick(workers)
    const tries = draw.chance(0.08) ? draw.integer(2, 3) : 1
    const sentAt = shift(at, tries === 1 ? draw.integer(300, 2_600) : tries * 12_000)
    return {
      channel: 'mail',
      key: `sample-mail-${index}`,
      payload: seal({ to: email, subject: mail?.subject ?? '', text: 'Sample email.' }),
      about: mail?.about ?? '',
      state: 'sent',
      tries,
      next_try_at: sentAt,
      last_try_at: sentAt,
      last_error: null,
      created_at: at,
      sent_at: sentAt,
      outside_id: `mailbox-${index + 1}`,
      ...blank,
      // One was retried by hand.
      ...(index === 21 && tech !== null && { tries: 11, retried_at: shift(sentAt, -2_000), retried_by: tech }),
    }
  })
  const failed = failures.map((each, index) => {
    const at = shift(now, -each.ago * MINUTE)
    return {
      channel: each.channel,
      key: `sample-trouble-${index}`,
      payload: seal(each.payload),
      about: each.about,
      state: each.state,
      tries: each.tries,
      next_try_at: shift(now, (each.next ?? 0) * MINUTE),
      last_try_at: each.tries > 0 ? shift(at, Math.min(each.ago, each.tries * 4) * MINUTE) : null,
      last_error: each.error ?? null,
      created_at: at,
      sent_at: null,
      outside_id: null,
      ...blank,
      ...(each.state === 'discarded' && {
        discarded_at: shift(at, 20 * HOUR),
        discarded_by: tech,
        discard_reason: each.reason ?? '',
      }),
    }
  })
  await copy(
    'outbox',
    [...sent, ...failed].toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime()),
  )
}
