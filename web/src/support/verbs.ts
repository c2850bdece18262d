import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { MAX_CREDITS } from '@limber/contract/support/customers/account.ts'
import type { UserList } from '@limber/contract/support/customers/customer.ts'
import type { Ticket } from '@limber/contract/support/tickets/ticket.ts'
import {
  IconBan,
  IconBulb,
  IconCircleCheck,
  IconCoins,
  IconLifebuoy,
  IconMailbox,
  IconMessage,
  IconNote,
  IconSend,
  IconUser,
  IconUserCog,
  IconUserShare,
  IconUsersGroup,
} from '@tabler/icons-react'
import { hrefDoing } from '#platform/routing/intent.ts'
import { hrefTo } from '#platform/routing/links.ts'
import {
  eachTo,
  idIn,
  type OpenSentence,
  type PaletteItem,
  type RecentKind,
  type Sentence,
  type Verb,
} from '#platform/routing/verbs.ts'
import type { Session } from '#platform/session/session.tsx'
import { splitAmount } from '#platform/words.ts'
import { findPeople } from './customers/customer-palette.ts'
import { customersPath } from './customers/customers-path.ts'
import type { UserSearch } from './customers/user-search.ts'
import { findTickets } from './tickets/ticket-palette.ts'

const people = ['users.overview', 'users.directory'] as const

const accountSentences = () => import('./customers/account-sentences.ts')
const ticketSentences = () => import('./tickets/ticket-sentences.ts')

/** The page of a customer with one of its dialogs. */
const toPerson = (user: number, session: Session, view: UserSearch['view'], amount?: number) => {
  const place = customersPath(session)
  return place && hrefTo(place, { user, view, ...(amount && { amount }) })
}

/** Customers, each with a dialog of their page. */
const onPerson = (view: UserSearch['view']) => eachTo(findPeople, (user, session) => toPerson(user, session, view))

/** The customer whose page is open. */
const currentPerson =
  (more: (user: number, session: Session) => Pick<PaletteItem, 'run' | 'sentence'>): NonNullable<Verb['current']> =>
  (search, session) => {
    const user = idIn(search, 'user')
    return user === undefined ? undefined : { id: `user-${user}`, title: 'this customer', ...more(user, session) }
  }

const openPerson = (view: UserSearch['view']) =>
  currentPerson((user, session) => ({
    run: (go) => {
      const href = toPerson(user, session, view)
      if (href) go(href)
    },
  }))

const MAX_NAME_WORDS = 3

/** Customers, and what stands after their name: `short session` of `jaz short session`. */
async function findNamed(
  text: string,
  signal: AbortSignal,
  session: Session,
  more: (user: UserList['users'][number], after?: string) => Partial<PaletteItem>,
): Promise<PaletteItem[]> {
  const found = await findPeople(text, signal, session, (user) => more(user))
  const words = text.split(/\s+/)
  if (found.length > 0 || words.length < 2) return found
  const counts = [...Array(Math.min(MAX_NAME_WORDS, words.length - 1)).keys()].map((at) => at + 1)
  const shorter = await Promise.all(
    counts.map((count) => {
      const after = words.slice(count).join(' ')
      return findPeople(words.slice(0, count).join(' '), signal, session, (user) => more(user, after))
    }),
  )
  return shorter.findLast((items) => items.length > 0) ?? []
}

const TAKING = /^(?:remove|take)\b/i
const GRANTING = /^(?:(?:grant|give|add|remove|take)\s+)?(?:credits?\s+(?:to\s+)?)?/i

/** Customers to grant credits to. The amount stands anywhere: `jaz 2`, `grant 2 credits to jaz`, or follows. */
const findToGrant: Verb['options'] = (text, signal, session) => {
  const { rest, amount: typed = 0 } = splitAmount(text.replace(GRANTING, ''), 'credit')
  const name = rest.replace(/^(?:to|from)(?:\s+|$)/i, '')
  const amount = TAKING.test(text) ? -Math.abs(typed) : typed
  // A number alone may be the ID of a customer.
  const isAmount = (name !== '' || /credit/i.test(text)) && amount !== 0 && Math.abs(amount) <= MAX_CREDITS
  const change = `${amount > 0 ? 'Grant' : 'Remove'} ${pluralize(Math.abs(amount), 'credit')}`
  return findNamed(isAmount ? name : text, signal, session, ({ id, email }, after) => ({
    detail: [...(isAmount ? [change] : []), email, ...(after ? [`“${after}”`] : [])].join(' · '),
    sentence: async () => {
      const { amountSentence, creditSentence } = await accountSentences()
      return isAmount ? creditSentence(id, amount, session, after) : amountSentence(id, session, after)
    },
  }))
}

/** `2 credits` of `2 credits jaz`. While the unit is typed, it may still become part of the amount. */
const leadingAmount: Verb['leading'] = (text) => {
  const { rest, amount = 0 } = splitAmount(text, 'credit')
  if (amount === 0 || rest === '' || !/^[+-]?\d/.test(text) || 'credits'.startsWith(rest.toLowerCase())) return
  return {
    act: amount > 0 ? 'Grant' : 'Remove',
    parts: [{ slot: pluralize(Math.abs(amount), 'credit') }, { word: amount > 0 ? 'to' : 'from' }],
    words: pluralize(amount, 'credit'),
    rest,
  }
}

/** Customers to block or to unblock; who is blocked already stays visible with the reason. */
const findToBlock =
  (isBlocking: boolean): NonNullable<Verb['options']> =>
  (text, signal, session) =>
    findNamed(text, signal, session, ({ id, status, email }, after) => ({
      ...(after && { detail: `${email} · “${after}”` }),
      ...((status === 'blocked') === isBlocking && { refusal: isBlocking ? 'Already blocked' : 'Not blocked' }),
      sentence: async () => (await accountSentences()).blockSentence(id, isBlocking, session, after),
    }))

const blockVerb = (isBlocking: boolean): Partial<Verb> => ({
  words: 'customer',
  icon: IconBan,
  options: findToBlock(isBlocking),
  // The page of the customer has the verb that fits.
  current: () => undefined,
})

const onTicket = eachTo(
  (text, signal) => findTickets(text, signal),
  (ticket) => hrefTo('/support/tickets', { ticket }),
)

/** Tickets, each with the sentence that is said about it. */
const findToSay =
  (
    say: (id: number) => Promise<Sentence | OpenSentence>,
    refusalOf: (ticket: Ticket) => string | undefined,
  ): NonNullable<Verb['options']> =>
  (text, signal) =>
    findTickets(text, signal, (ticket) => {
      const refusal = refusalOf(ticket)
      return { ...(refusal && { refusal }), sentence: () => say(ticket.id) }
    })

/** The ticket that is open, with the sentence that is said about it. */
const currentTicket =
  (say: (id: number) => Promise<Sentence | OpenSentence>): NonNullable<Verb['current']> =>
  (search) => {
    const id = idIn(search, 'ticket')
    if (id === undefined) return undefined
    return { id: `ticket-${id}`, title: `ticket #${id}`, run: () => undefined, sentence: () => say(id) }
  }

const TO_WORKER = /^(.*?)\s*\bto\s+(.+)$/i
const NUMBER_LAST = /^(?:to\s+)?(\D+?)\s+#?(\d+)$/

/** Tickets to assign, with the worker anywhere: `249 to kenji`, `kenji 249`. */
const findToAssign: NonNullable<Verb['options']> = async (text, signal) => {
  const [, last, number] = NUMBER_LAST.exec(text) ?? []
  const [, ticket = text, worker] = TO_WORKER.exec(text) ?? []
  const say = (name?: string) => (one: Ticket) => ({ run: () => undefined, sentence: () => sayAssign(one.id, name) })
  if (last && number) {
    const found = await findTickets(number, signal, say(last))
    const exact = found.filter(({ id }) => id === `ticket-${number}`)
    if (exact.length > 0) return exact
  }
  const found = await findTickets(ticket, signal, say(worker))
  if (worker || text.length < 2) return found
  return [...found, ...(await (await ticketSentences()).workersToAssign(text, signal))]
}

const sayClose = async (id: number) => (await ticketSentences()).closeSentence(id)
const sayAssign = async (id: number, worker?: string) => (await ticketSentences()).assignSentence(id, worker)

const person = (
  id: string,
  title: string,
  view: UserSearch['view'],
  calls: string[],
  more: Partial<Verb> = {},
): Verb => ({
  id,
  title,
  permission: people,
  icon: IconUserCog,
  screen: '/support/users',
  of: 'customer',
  calls: calls.map((call) => `POST /api/support/users/:id/${call}`),
  options: onPerson(view),
  current: openPerson(view),
  ...more,
})

const ticket = (id: string, title: string, calls: string[], words?: string, more: Partial<Verb> = {}): Verb => ({
  id,
  title,
  ...(words && { words }),
  permission: 'tickets.handle',
  icon: IconLifebuoy,
  screen: '/support/tickets',
  of: 'ticket',
  calls: calls.map((call) => call.replace(' ', ' /api/support/tickets')),
  options: onTicket,
  ...more,
})

const screen = (
  id: string,
  title: string,
  path: '/support/assignment' | '/support/mailboxes' | '/support/promises',
  more: Pick<Verb, 'permission' | 'icon' | 'calls'> & { words?: string },
): Verb => ({ id, title, screen: path, run: (go) => go(hrefTo(path)), ...more })

export const supportRecents: readonly RecentKind[] = [
  {
    of: 'customer',
    prefix: 'user',
    permission: people,
    icon: IconUser,
    hrefOf: (user, session) => {
      const place = customersPath(session)
      return place && hrefTo(place, { user })
    },
  },
  {
    of: 'ticket',
    prefix: 'ticket',
    permission: 'tickets.handle',
    icon: IconLifebuoy,
    hrefOf: (ticket) => hrefTo('/support/tickets', { ticket }),
  },
]

export const supportVerbs: readonly Verb[] = [
  {
    id: 'ticket-new',
    title: 'New ticket',
    permission: ['tickets.create'],
    icon: IconLifebuoy,
    screen: '/support/tickets',
    calls: ['POST /api/support/tickets'],
    run: (go) => go(hrefDoing('/support/tickets', 'new')),
  },
  ticket('ticket-reply', 'Reply to ticket…', ['POST /:id/respond', 'POST /:id/images', 'POST /:id/files'], 'answer'),
  ticket('ticket-close', 'Close ticket…', ['PATCH /:id/status', 'PATCH /:id'], 'status reopen snooze subject', {
    icon: IconCircleCheck,
    options: findToSay(sayClose, ({ status }) => (status === 'closed' ? 'Already closed' : undefined)),
    current: currentTicket(sayClose),
    keys: 'E',
  }),
  ticket('ticket-assign', 'Assign ticket…', ['PATCH /:id/assignee', 'PATCH /:id/priority'], 'hand over priority', {
    icon: IconUserShare,
    options: findToAssign,
    current: currentTicket(sayAssign),
  }),
  ticket('ticket-note', 'Add note to ticket…', ['POST /:id/notes', 'POST /:id/watch'], 'mention watch'),
  ticket('ticket-merge', 'Merge ticket…', ['POST /:id/merge', 'POST /:id/split'], 'split duplicate'),
  ticket(
    'ticket-link',
    'Link ticket…',
    ['POST /:id/links', 'DELETE /:id/links/:other', 'POST /:id/follow-up'],
    'related',
  ),
  ticket('ticket-task', 'Add task to ticket…', [
    'POST /:id/tasks',
    'POST /:id/booking-requests',
    'POST /:id/refund-note',
  ]),
  person('credit', 'Grant credit…', 'credits', ['credits'], {
    words: 'session free',
    icon: IconCoins,
    options: findToGrant,
    leading: leadingAmount,
    current: currentPerson((user, session) => ({
      run: () => undefined,
      sentence: async () => (await accountSentences()).amountSentence(user, session),
    })),
    reads: (text) => /\bcredits?\b/i.test(text) && (splitAmount(text, 'credit').amount ?? 0) !== 0,
  }),
  person('person-note', 'Write a note about…', 'notes', ['notes'], { icon: IconNote, keys: 'N' }),
  person('text', 'Text…', 'text', [], {
    words: 'sms message',
    permission: 'support.tab',
    icon: IconMessage,
    keys: 'T',
    calls: ['POST /api/support/messages/send'],
  }),
  person('block', 'Block…', 'account', ['block'], blockVerb(true)),
  person('unblock', 'Unblock…', 'unblock', ['unblock'], blockVerb(false)),
  person('person-merge', 'Merge customer…', 'account', ['merge'], { words: 'duplicate' }),
  person('person-erase', 'Erase customer…', 'account', ['erase'], { words: 'delete privacy' }),
  person('person-export', 'Export data of customer…', 'account', ['export'], { words: 'privacy' }),
  person('person-verify', 'Send verification email to…', 'account', ['verification-mail']),
  person('person-contact', 'Change contact of customer…', '', [], {
    words: 'email phone',
    calls: ['PATCH /api/support/users/:id/contact'],
  }),
  {
    id: 'notification-new',
    title: 'Send notification',
    words: 'bulk email text',
    permission: 'notifications.send',
    icon: IconSend,
    screen: '/support/notifications',
    calls: ['POST /api/support/notifications', 'POST /api/support/notifications/:id/undo'],
    run: (go) => go(hrefTo('/support/notifications')),
  },
  {
    id: 'suggestion-new',
    title: 'New knowledge base suggestion',
    permission: 'kb.suggest',
    icon: IconBulb,
    screen: '/support/suggestions',
    calls: [
      'POST /api/support/kb-suggestion',
      'PUT /api/support/kb-suggestion/:id/review',
      'DELETE /api/support/kb-suggestion/:id',
    ],
    run: (go) => go(hrefTo('/support/suggestions', { view: 'new' })),
  },
  screen('absence', 'Plan an absence', '/support/assignment', {
    words: 'out of office vacation take tickets',
    permission: 'tickets.handle',
    icon: IconUsersGroup,
    calls: ['POST /api/support/absences', 'DELETE /api/support/absences/:id', 'POST /api/support/assignment/taking'],
  }),
  screen('round-robin', 'Change round robin', '/support/assignment', {
    words: 'assignment',
    permission: 'notifications.send',
    icon: IconUsersGroup,
    calls: ['PUT /api/support/assignment/round-robin', 'POST /api/support/assignment/on-reply'],
  }),
  screen('mailbox', 'Change mailboxes', '/support/mailboxes', {
    words: 'add connect email',
    permission: 'notifications.send',
    icon: IconMailbox,
    calls: [
      'POST /api/support/mailboxes',
      'PUT /api/support/mailboxes/:id',
      'DELETE /api/support/mailboxes/:id',
      'POST /api/support/mailboxes/:id/forwarding-address',
    ],
  }),
  screen('promises', 'Change response times', '/support/promises', {
    words: 'sla promises ratings',
    permission: 'notifications.send',
    icon: IconMailbox,
    calls: ['PUT /api/support/promises', 'PUT /api/support/rating-settings'],
  }),
]
