import { assignLead, type LeadDetail, listLeadWorkers, readLead } from '@limber/contract/marketing/leads/lead.ts'
import { IconArrowBackUp, IconMail, IconUser } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { OpenSentence, Sentence } from '#platform/routing/verbs.ts'
import { act } from '#ui/feedback/act.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { nameOf } from './lead-labels.ts'

function toWorker(lead: LeadDetail, worker: { id: number; name: string }): Sentence {
  const { id, assignee, version } = lead
  return {
    verb: 'Assign',
    parts: [{ slot: nameOf(lead) }, { word: 'to' }, { slot: worker.name }],
    effects: () => [
      { icon: IconUser, label: `Assignee of ${nameOf(lead)}`, was: assignee?.name ?? 'Unassigned', value: worker.name },
      { icon: IconMail, label: 'Email', value: 'None is sent.' },
      {
        icon: IconArrowBackUp,
        label: 'Undo',
        value: 'In the message and the history, while it is not assigned again.',
      },
    ],
    action: 'Assign',
    form: hrefTo('/growth/conversion', { lead: id }),
    run: () =>
      act(() => send(assignLead, { params: { id: String(id) }, body: { workerId: worker.id, version } }), {
        done: (reply) => toastUndo(`${nameOf(lead)} assigned to ${worker.name}.`, reply.lead),
        failed: "Couldn't assign the lead",
      }),
  }
}

/** Asks for the worker; `typed` is what was said of the name before. */
export async function assignSentence(leadId: number, typed?: string): Promise<OpenSentence> {
  const { lead } = await send(readLead, { body: { leadId } })
  return {
    verb: 'Assign',
    parts: [{ slot: nameOf(lead) }, { word: 'to' }],
    label: 'Worker',
    ...(typed && { typed }),
    options: async (text, signal) => {
      const words = text.toLowerCase()
      return (await send(listLeadWorkers, {}, { signal }))
        .filter(({ name }) => name.toLowerCase().includes(words))
        .slice(0, 8)
        .map((worker) => ({
          id: `worker-${worker.id}`,
          title: worker.name,
          icon: IconUser,
          ...(worker.id === lead.assignee?.id && { refusal: 'Has it already' }),
          run: () => undefined,
          sentence: async () => toWorker(lead, worker),
        }))
    },
  }
}
