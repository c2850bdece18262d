import { DAY, shift } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { Story } from '../chapter.ts'

type Idea = readonly [title: string, content: string, section: 'faq' | 'experience' | 'about', location: string | null]

const ideas: readonly Idea[] = [
  [
    'How late may I cancel?',
    'Say that a session can be cancelled without charge until 24 hours before.',
    'faq',
    'Bookings',
  ],
  ['What to wear', 'Comfortable clothes, no jeans; socks are fine.', 'experience', 'Before your session'],
  [
    'Can credits expire?',
    'Several customers ask. They do not, but promotional ones do after 180 days.',
    'faq',
    'Credits',
  ],
  ['Is it a massage?', 'Explain the difference between assisted stretching and massage.', 'about', null],
  ['Gift a session', 'Describe how credits are moved to another account.', 'faq', 'Credits'],
  ['Parking at offices', 'On-site customers ask where the stretcher parks.', 'experience', null],
  [
    'Soreness after a session',
    'A day is common; more than two should be told to us.',
    'experience',
    'After your session',
  ],
  ['Which towns do you serve?', 'Link the map of zones and the waiting list.', 'about', 'Where we are'],
  ['Sessions while pregnant', 'Only with a note of the doctor; say whom to ask.', 'faq', 'Health'],
  ['Changing the stretcher', 'Customers look for a button that is under the booking.', 'faq', 'Bookings'],
  ['Code does not arrive', 'Check spam, wait a minute, ask again. Name our sender address.', 'faq', 'Sign-in'],
  ['Invoices for companies', 'Where to enter the name and the tax number.', 'faq', 'Payments'],
  ['How stretchers are trained', 'Tell of the courses and show a certificate.', 'about', 'Our team'],
  ['Bringing a friend', 'Describe the guest pass and how it is redeemed.', 'experience', null],
  ['Refunds: how long?', 'Three to five days, depends on the bank.', 'faq', 'Payments'],
  ['Pressure and pain', 'How to tell the stretcher before the session.', 'experience', 'Before your session'],
  ['Students', 'State the discount and what proves it.', 'faq', 'Prices'],
  ['Our story', 'The page still names the old address.', 'about', 'History'],
  ['Two accounts', 'What to do when one signed up twice.', 'faq', 'Sign-in'],
  ['Late arrival', 'What happens when the customer or the stretcher is late.', 'faq', 'Bookings'],
]

const reasons = {
  approved: 'Asked every week.',
  implemented: 'It is on the page now.',
  rejected: 'Stands there already.',
}

/** What the staff would have the knowledge base say. */
export async function tellSuggestions(story: Story, staff: readonly number[]) {
  const random = story.random('support/suggestions')
  const { now } = story.calendar
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
  await story.copy('kb_suggestions', rows)
  await tellReviews(story)
}

/** What was published was approved before; everything else was reviewed once. */
const tellReviews = ({ db }: Story) =>
  sql`insert into kb_suggestion_reviews (suggestion_id, status, reason, reviewed_by, reviewed_at)
    select id, status, reason, reviewed_by, reviewed_at from (
      select id, 'approved' as status, ${reasons.approved} as reason, reviewed_by, created_at + (reviewed_at - created_at) / 2 as reviewed_at
      from kb_suggestions where status = 'implemented'
      union all select id, status, review_reason, reviewed_by, reviewed_at from kb_suggestions where reviewed_by is not null) r
    order by reviewed_at`.execute(db)
