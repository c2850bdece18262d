import { DAY, shift } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

type Idea = readonly [title: string, content: string, section: 'faq' | 'experience' | 'about', location: string | null]

const ideas: readonly Idea[] = [
  [
    'How late can I cancel?',
    'Say that sessions can be canceled free of charge up to 24 hours before they start.',
    'faq',
    'Bookings',
  ],
  ['What to wear', 'Comfortable clothes, no jeans. Socks are fine.', 'experience', 'Before your session'],
  [
    'Do credits expire?',
    'Customers often ask. Regular credits never expire. Promotional ones expire after 180 days.',
    'faq',
    'Credits',
  ],
  ['Is it a massage?', 'Explain how assisted stretching differs from massage.', 'about', null],
  ['Gift a session', 'Explain how to transfer credits to another account.', 'faq', 'Credits'],
  ['Parking at offices', 'On-site customers ask where the stretcher parks.', 'experience', null],
  [
    'Soreness after a session',
    'One day is common. Customers should contact us if it lasts more than two.',
    'experience',
    'After your session',
  ],
  ['Which cities do you serve?', 'Link to the zone map and the waitlist.', 'about', 'Service area'],
  ['Sessions while pregnant', 'Only with a note from a doctor. Say who to contact.', 'faq', 'Health'],
  ['Switching stretchers', 'Customers do not find the button. It is on the booking.', 'faq', 'Bookings'],
  ['Code does not arrive', 'Check spam, wait a minute, request a new code. List our sender address.', 'faq', 'Sign-in'],
  ['Invoices for companies', 'Explain where to enter the company name and tax ID.', 'faq', 'Payments'],
  ['How stretchers are trained', 'Describe the courses and show a certificate.', 'about', 'Our team'],
  ['Bringing a friend', 'Describe the guest pass and how to redeem it.', 'experience', null],
  ['How long do refunds take?', 'Three to five business days, depending on the bank.', 'faq', 'Payments'],
  ['Pressure and pain', 'Explain how to tell the stretcher before the session.', 'experience', 'Before your session'],
  ['Student discount', 'State the discount and what proof we accept.', 'faq', 'Prices'],
  ['Our story', 'The page still shows the old address.', 'about', 'History'],
  ['Two accounts', 'Explain what to do if you signed up twice.', 'faq', 'Sign-in'],
  ['Late arrival', 'Explain what happens when the customer or the stretcher is late.', 'faq', 'Bookings'],
]

const reasons = {
  approved: 'Customers ask this every week.',
  implemented: 'Added to the page.',
  rejected: 'Already on the page.',
}

/** Suggestions of the staff for the knowledge base. */
export async function seedSuggestions(context: SeedContext, staff: readonly number[]) {
  const random = context.random('support/suggestions')
  const { now } = context.calendar
  const rows = ideas.map(([title, content, target_section, target_location], index) => {
    const created_at = shift(now, -Math.round(random.between(1, 150) * DAY))
    const status = (['pending', 'approved', 'implemented', 'rejected'] as const)[index % 4] ?? 'pending'
    const isReviewed = status !== 'pending'
    return {
      title,
      content,
      target_section,
      target_location,
      priority: random.pick(['low', 'medium', 'high']),
      status,
      created_by: random.pick(staff),
      created_at,
      reviewed_by: isReviewed ? random.pick(staff) : null,
      reviewed_at: isReviewed ? new Date(random.between(created_at.getTime(), now.getTime())) : null,
      review_reason: isReviewed ? reasons[status as keyof typeof reasons] : null,
      published_url: status === 'implemented' ? `https://help.example.com/${target_section}` : null,
      version: isReviewed ? 2 : 1,
    }
  })
  await context.copy('kb_suggestions', rows)
  await seedReviews(context)
}

/** Implemented suggestions were approved first. All others were reviewed once. */
const seedReviews = ({ db }: SeedContext) =>
  sql`insert into kb_suggestion_reviews (suggestion_id, status, reason, reviewed_by, reviewed_at)
    select id, status, reason, reviewed_by, reviewed_at from (
      select id, 'approved' as status, ${reasons.approved} as reason, reviewed_by, created_at + (reviewed_at - created_at) / 2 as reviewed_at
      from kb_suggestions where status = 'implemented'
      union all select id, status, review_reason, reviewed_by, reviewed_at from kb_suggestions where reviewed_by is not null) r
    order by reviewed_at`.execute(db)
