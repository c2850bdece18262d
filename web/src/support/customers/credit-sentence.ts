import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { adjustCredits } from '@limber/contract/support/customers/account.ts'
import { readUser } from '@limber/contract/support/customers/user.ts'
import { send } from '#platform/api/api.ts'
import type { Sentence } from '#platform/routing/verbs.ts'
import { act } from '#ui/feedback/act.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'

/** Grants or removes credits, with the reason as the last part of the sentence. */
export async function creditSentence(id: number, delta: number): Promise<Sentence> {
  const params = { id: String(id) }
  const { personalInfo, engagement } = await send(readUser, { params })
  const { name } = personalInfo
  const verb = delta > 0 ? 'Grant' : 'Remove'
  const amount = pluralize(Math.abs(delta), 'credit')
  const grant = (reason: string) =>
    act(() => send(adjustCredits, { params, body: { delta, reason } }), {
      done: (reply) => toastUndo(`${name} now has ${pluralize(reply.credits, 'credit')}.`, reply),
      failed: "Couldn't adjust the credits",
    })
  return {
    verb,
    parts: [{ slot: amount }, { word: delta > 0 ? 'to' : 'from' }, { slot: name }],
    last: { word: 'because', label: 'Reason' },
    effects: (reason) => [
      { label: `Credits of ${name}`, was: String(engagement.credits), value: String(engagement.credits + delta) },
      { label: 'Credit history', value: `${delta > 0 ? '+' : '−'}${Math.abs(delta)}${reason ? `, “${reason}”` : ''}` },
      { label: 'Email', value: 'None is sent.' },
      { label: 'Undo', value: 'In the message and the history, while the balance is the same.' },
    ],
    action: `${verb} ${amount}`,
    run: grant,
  }
}
