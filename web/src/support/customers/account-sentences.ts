import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { adjustCredits, blockUser, MAX_CREDITS, unblockUser } from '@limber/contract/support/customers/account.ts'
import { readUser, type UserDetail } from '@limber/contract/support/customers/user.ts'
import {
  IconArrowBackUp,
  IconBan,
  IconCoins,
  IconHistory,
  IconListDetails,
  IconMail,
  IconMessage,
  IconNote,
} from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { OpenSentence, PaletteItem, Sentence } from '#platform/routing/verbs.ts'
import { hasAccess, type Session } from '#platform/session/session.tsx'
import { splitAmount } from '#platform/words.ts'
import { act } from '#ui/feedback/act.ts'
import { toast } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { customersPath } from './customers-path.ts'
import type { UserSearch } from './user-search.ts'

const NO_EMAIL = { icon: IconMail, label: 'Email', value: 'None is sent.' }
const because = { word: 'because', label: 'Reason' }
const quoted = (reason: string) => (reason ? `“${reason}”` : 'With your reason')

/** The page of a customer, with one of its dialogs. */
function pageOf(session: Session, user: number, view: UserSearch['view'] = '', amount?: number) {
  const place = customersPath(session)
  return place && hrefTo(place, { user, view, ...(amount && { amount }) })
}

/** What else can be done to a customer. */
function alsoFor({ personalInfo: { id, name, phone } }: UserDetail, session: Session) {
  const item = (key: string, title: string, icon: PaletteItem['icon'], view?: UserSearch['view']): PaletteItem[] => {
    const href = pageOf(session, id, view)
    return href && icon ? [{ id: `also-${key}`, title, icon, run: (go) => go(href) }] : []
  }
  return {
    title: `Also for ${name}`,
    items: [
      ...item('open', 'Open timeline', IconHistory),
      ...item('note', 'Write a note…', IconNote, 'notes'),
      ...(phone && hasAccess(session, 'support.tab') ? item('text', 'Text…', IconMessage, 'text') : []),
    ],
  }
}

const granted = (delta: number) => `${delta > 0 ? 'Grant' : 'Remove'} ${pluralize(Math.abs(delta), 'credit')}`

/** Asks how many credits, when the customer was chosen first. */
export async function amountSentence(id: number, session: Session, reason?: string): Promise<OpenSentence> {
  const user = await send(readUser, { params: { id: String(id) } })
  const { credits } = user.engagement
  const refusalOf = (delta: number) =>
    Math.abs(delta) > MAX_CREDITS
      ? `At most ${MAX_CREDITS}`
      : credits + delta < 0
        ? `Only ${pluralize(credits, 'credit')} left`
        : undefined
  return {
    verb: 'Grant to',
    parts: [{ slot: user.personalInfo.name }],
    label: 'Credits',
    hint: 'Number of credits, −1 to remove one',
    options: async (text) => {
      const { rest, amount } = splitAmount(text.replace('−', '-'), 'credit')
      // While the unit is typed, it may still become part of the amount.
      const isAmount = amount && 'credits'.startsWith(rest.toLowerCase())
      return (text === '' ? [1, 2, 3] : isAmount ? [amount] : []).map((delta) => {
        const refusal = refusalOf(delta)
        return {
          id: `credits-${delta}`,
          title: granted(delta),
          detail: `${credits} now, ${credits + delta} after`,
          icon: IconCoins,
          ...(refusal && { refusal }),
          run: () => undefined,
          sentence: async () => creditOf(user, delta, session, reason),
        }
      })
    },
  }
}

/** Grants or removes credits, with the reason as the last part of the sentence. */
export async function creditSentence(id: number, delta: number, session: Session, reason?: string): Promise<Sentence> {
  return creditOf(await send(readUser, { params: { id: String(id) } }), delta, session, reason)
}

function creditOf(user: UserDetail, delta: number, session: Session, said?: string): Sentence {
  const { id, name } = user.personalInfo
  const params = { id: String(id) }
  const { credits } = user.engagement
  const verb = delta > 0 ? 'Grant' : 'Remove'
  const amount = pluralize(Math.abs(delta), 'credit')
  const form = pageOf(session, id, 'credits', delta)
  return {
    verb,
    parts: [{ slot: amount }, { word: delta > 0 ? 'to' : 'from' }, { slot: name }],
    last: { ...because, ...(said && { typed: said }) },
    effects: (reason) => [
      { icon: IconCoins, label: `Credits of ${name}`, was: String(credits), value: String(credits + delta) },
      {
        icon: IconListDetails,
        label: 'Credit history',
        value: `${delta > 0 ? '+' : '−'}${Math.abs(delta)}${reason ? `, ${quoted(reason)}` : ''}`,
      },
      NO_EMAIL,
      {
        icon: IconArrowBackUp,
        label: 'Undo',
        value: 'In the message and the history, while the balance is the same.',
      },
    ],
    action: granted(delta),
    ...(form && { form }),
    also: alsoFor(user, session),
    run: (reason) =>
      act(() => send(adjustCredits, { params, body: { delta, reason } }), {
        done: (reply) => toastUndo(`${name} now has ${pluralize(reply.credits, 'credit')}.`, reply),
        failed: "Couldn't adjust the credits",
      }),
  }
}

/** Blocks or unblocks an account, with the reason as the last part of the sentence. */
export async function blockSentence(
  id: number,
  isBlocking: boolean,
  session: Session,
  said?: string,
): Promise<Sentence> {
  const params = { id: String(id) }
  const user = await send(readUser, { params })
  const { name } = user.personalInfo
  const verb = isBlocking ? 'Block' : 'Unblock'
  const form = pageOf(session, id, isBlocking ? 'account' : 'unblock')
  return {
    verb,
    parts: [{ slot: name }],
    last: { ...because, ...(said && { typed: said }) },
    effects: (reason) => [
      {
        icon: IconBan,
        label: `Account of ${name}`,
        was: isBlocking ? 'Open' : 'Blocked',
        value: isBlocking ? 'Blocked' : 'Open',
      },
      { icon: IconListDetails, label: 'History', value: quoted(reason) },
      NO_EMAIL,
      {
        icon: IconArrowBackUp,
        label: 'Undo',
        value: isBlocking ? 'In the message and the history.' : 'Block the account again.',
      },
    ],
    action: `${verb} ${name}`,
    ...(form && { form }),
    also: alsoFor(user, session),
    run: (reason) =>
      act(() => send(isBlocking ? blockUser : unblockUser, { params, body: { reason } }), {
        done: (reply) => (isBlocking ? toastUndo(`${name} is blocked.`, reply) : toast(`${name} is unblocked.`)),
        failed: isBlocking ? "Couldn't block the account" : "Couldn't unblock the account",
      }),
  }
}
