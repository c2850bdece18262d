import type { Seeder } from '../seeder.ts'
import { seedAssignment } from '../support/assignment.ts'
import { seedEmails } from '../support/emails.ts'
import { seedNotifications } from '../support/notifications.ts'
import { seedPromises } from '../support/promises.ts'
import { seedQueues } from '../support/queues.ts'
import { seedRatings } from '../support/ratings.ts'
import { seedRecords } from '../support/records.ts'
import { seedRelated } from '../support/related.ts'
import { seedSavedReplies } from '../support/saved-replies.ts'
import { seedSuggestions } from '../support/suggestions.ts'
import { seedTexts } from '../support/texts.ts'
import { seedTickets } from '../support/tickets.ts'

const PEOPLE = 600

/** Tickets, saved replies, notes, rewards, suggestions, emails, text messages and notifications. */
export const support: Seeder = {
  name: 'Support',
  async seed(context) {
    const people = await context.db
      .selectFrom('customers')
      .select(['id', 'first_name', 'email', 'phone', 'joined_at'])
      .where('last_login_at', 'is not', null)
      .orderBy('id')
      .limit(PEOPLE)
      .execute()
    const workers = await context.db
      .selectFrom('workers')
      .select('id')
      .where('status', '=', 'active')
      .where('role', 'like', 'Support%')
      .orderBy('id')
      .execute()
    const staff = workers.map(({ id }) => id)
    await seedTickets(context, people, staff)
    await seedQueues(context, staff)
    await seedPromises(context, staff)
    await seedRatings(context, staff)
    await seedSavedReplies(context, staff)
    await seedAssignment(context, staff)
    await seedRelated(context, staff)
    await seedRecords(context, people, staff)
    await seedSuggestions(context, staff)
    await seedEmails(context, people)
    await seedTexts(context, staff)
    await seedNotifications(context, staff)
  },
}
