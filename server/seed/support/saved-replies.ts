import { DAY, shift } from '#platform/clock.ts'
import { makeSavedReply } from '#support/saved-reply.factory.ts'
import type { Story } from '../chapter.ts'

const replies: readonly (readonly [name: string, content: string])[] = [
  [
    'Charged twice',
    'Hi {first name},\n\nI am sorry about that. I can see both charges. The second one goes back to your card today; most banks show it within three to five working days.\n\nYou need not do anything. If it is not there by then, answer here and I will ask our bank.\n\n{agent}',
  ],
  [
    'Refund is on its way',
    'Hi {first name},\n\nyour refund left us today. It takes three to five working days, depending on your bank.\n\n{agent}',
  ],
  [
    'Cancel or move a session',
    'Hi {first name},\n\na session can be moved or cancelled without charge until 24 hours before it begins: open the app, tap the booking, then Reschedule or Cancel.\n\nIf you are closer than that, tell me what happened and I will see what I can do.\n\n{agent}',
  ],
  [
    'Stretcher was late',
    'Hi {first name},\n\nthat should not happen, and I am sorry that you had to wait. I have told the stretcher and put one credit into your account for the time you lost.\n\n{agent}',
  ],
  [
    'Sign-in code does not arrive',
    'Hi {first name},\n\nplease look into your spam folder first: the code comes from no-reply@example.com. If it is not there, wait one minute and ask for a new one; only the newest works.\n\nStill nothing? Answer here and I will check the address that we have for you.\n\n{agent}',
  ],
  [
    'Sore after a session',
    'Hi {first name},\n\na little soreness on the next day is common, and a walk and water help. If it lasts longer than two days or hurts sharply, please see a doctor and tell me, so that I can note it for your next stretcher.\n\n{agent}',
  ],
  [
    'Two accounts',
    'Hi {first name},\n\nI found both accounts. Tell me which e-mail address you would like to keep, and I will bring your bookings, credits and points together there.\n\n{agent}',
  ],
  [
    'No answer, closing',
    'Hi {first name},\n\nI have not heard from you, so I am closing ticket #{ticket} for now. Just answer this e-mail whenever you need us, and it opens again.\n\n{agent}',
  ],
]

/** What agents need not write each time; the lead of the desk, who was there first, keeps it. */
export async function tellSavedReplies({ db, calendar, random }: Story, [lead]: readonly number[]) {
  if (lead === undefined) return
  const stream = random('support/saved-replies')
  for (const [name, content] of replies) {
    const changed_at = shift(calendar.now, -Math.round(stream.between(2, 240) * DAY))
    await makeSavedReply(db, { name, content, changed_by: lead, changed_at })
  }
}
