import type { Chapter } from '../chapter.ts'
import { tellEmails } from '../support/emails.ts'
import { tellNotifications } from '../support/notifications.ts'
import { tellRecords } from '../support/records.ts'
import { tellSavedReplies } from '../support/saved-replies.ts'
import { tellSuggestions } from '../support/suggestions.ts'
import { tellTexts } from '../support/texts.ts'
import { tellTickets } from '../support/tickets.ts'

const PEOPLE = 600

/** What customers asked, what the staff answered, and what went to them. */
export const support: Chapter = {
  name: 'Support',
  async tell(story) {
    const people = await story.db
      .selectFrom('customers')
      .select(['id', 'first_name', 'email', 'phone', 'joined_at'])
      .where('last_login_at', 'is not', null)
      .orderBy('id')
      .limit(PEOPLE)
      .execute()
    const workers = await story.db
      .selectFrom('workers')
      .select('id')
      .where('status', '=', 'active')
      .where('role', 'like', 'Support%')
      .orderBy('id')
      .execute()
    const staff = workers.map(({ id }) => id)
    await tellTickets(story, people, staff)
    await tellSavedReplies(story, staff)
    await tellRecords(story, people, staff)
    await tellSuggestions(story, staff)
    await tellEmails(story, people)
    await tellTexts(story, staff)
    await tellNotifications(story, staff)
  },
}
