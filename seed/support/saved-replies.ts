import type { MacroAction } from '@limber/contract/support/saved-replies/macro.ts'
import { DAY, shift } from '@limber/server/platform/clock.ts'
import { makeSavedReply } from '@limber/server/support/saved-replies/saved-reply.factory.ts'
import type { SeedContext } from '../seeder.ts'

interface Draft {
  name: string
  content: string
  /** With the names of tags. */
  actions: readonly (Exclude<MacroAction, { type: 'tag' }> | { type: 'tag'; name: string })[]
  uses: number
}

const macros: readonly Draft[] = [
  {
    name: 'Short session: apologize and credit',
    content:
      'Hi {first name},\n\nI’m sorry your session ended early. I put {credits} in your account for the time you lost, and I’m asking your stretcher what happened.\n\nBest,\n{agent}',
    actions: [
      { type: 'status', status: 'in_progress' },
      { type: 'tag', name: 'short session' },
      { type: 'credits', credits: 2 },
      { type: 'callback', days: 3 },
    ],
    uses: 31,
  },
  {
    name: 'Short session: ask for details',
    content:
      'Hi {first name},\n\nI’m sorry about that. When did your stretcher arrive, and when did they leave? I’ll look into it right away.\n\nBest,\n{agent}',
    actions: [{ type: 'tag', name: 'short session' }],
    uses: 18,
  },
  {
    name: 'Late arrival: apologize and close',
    content:
      'Hi {first name},\n\nI’m sorry you had to wait. I added {credits} to your account. Reply here if anything else comes up.\n\nBest,\n{agent}',
    actions: [
      { type: 'tag', name: 'late arrival' },
      { type: 'credits', credits: 1 },
      { type: 'status', status: 'closed' },
    ],
    uses: 9,
  },
]

const replies: readonly (readonly [name: string, content: string])[] = [
  [
    'Charged twice',
    'Hi {first name},\n\nI’m sorry about that. I can see both charges. We are refunding the second one today, and most banks show it within three to five business days.\n\nYou don’t need to do anything. If the refund isn’t there by then, reply here and I’ll ask our bank.\n\nBest,\n{agent}',
  ],
  [
    'Refund is on its way',
    'Hi {first name},\n\nWe sent your refund today. It takes three to five business days, depending on your bank.\n\nBest,\n{agent}',
  ],
  [
    'Cancel or move a session',
    'Hi {first name},\n\nYou can move or cancel a session free of charge until 24 hours before it starts. Open the app, tap the booking, then tap Reschedule or Cancel.\n\nIf it starts sooner than that, tell me what happened and I’ll see what I can do.\n\nBest,\n{agent}',
  ],
  [
    'Stretcher was late',
    'Hi {first name},\n\nThat should not happen, and I’m sorry you had to wait. I have spoken with the stretcher and added one credit to your account for the time you lost.\n\nBest,\n{agent}',
  ],
  [
    'Sign-in code does not arrive',
    'Hi {first name},\n\nPlease check your spam folder first. The code comes from no-reply@example.com. If it isn’t there, wait one minute and request a new one. Only the newest code works.\n\nStill nothing? Reply here and I’ll check the email address we have for you.\n\nBest,\n{agent}',
  ],
  [
    'Sore after a session',
    'Hi {first name},\n\nA little soreness the next day is common. A walk and plenty of water help. If it lasts longer than two days or the pain is sharp, please see a doctor and let me know, so I can tell your next stretcher.\n\nBest,\n{agent}',
  ],
  [
    'Two accounts',
    'Hi {first name},\n\nI found both accounts. Tell me which email address you would like to keep, and I’ll move your bookings, credits, and points there.\n\nBest,\n{agent}',
  ],
  [
    'No reply, closing',
    'Hi {first name},\n\nI haven’t heard back from you, so I’m closing ticket #{ticket} for now. Reply to this email any time, and it will open again.\n\nBest,\n{agent}',
  ],
]

/** Saved replies, last changed by the support lead, who is the first of the staff. */
export async function seedSavedReplies({ db, calendar, random }: SeedContext, [lead]: readonly number[]) {
  if (lead === undefined) return
  const stream = random('support/saved-replies')
  for (const [name, content] of replies) {
    const changed_at = shift(calendar.now, -Math.round(stream.between(2, 240) * DAY))
    await makeSavedReply(db, { name, content, changed_by: lead, changed_at })
  }
  const tags = await db.selectFrom('ticket_tags').select(['id', 'name']).execute()
  for (const { actions, ...macro } of macros) {
    const found = actions.flatMap((action): MacroAction[] => {
      if (action.type !== 'tag') return [action]
      const tag = tags.find(({ name }) => name === action.name)
      return tag ? [{ type: 'tag', tag: tag.id }] : []
    })
    const changed_at = shift(calendar.now, -Math.round(stream.between(2, 60) * DAY))
    await makeSavedReply(db, { ...macro, actions: found, changed_by: lead, changed_at })
  }
}
