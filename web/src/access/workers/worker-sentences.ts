import { disableWorker, readWorker } from '@limber/contract/access/workers/worker.ts'
import { IconArrowBackUp, IconDeviceLaptop, IconListDetails, IconUserShield } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { Sentence } from '#platform/routing/verbs.ts'
import { act } from '#ui/feedback/act.ts'
import { toast } from '#ui/feedback/toast-store.ts'
import { statusLabels } from './worker-labels.ts'

/** Disables a worker, with the reason as the last part of the sentence. */
export async function disableSentence(id: number): Promise<Sentence> {
  const params = { id: String(id) }
  const { name, status } = (await send(readWorker, { params })).worker
  return {
    verb: 'Disable',
    parts: [{ slot: name }],
    last: { word: 'because', label: 'Reason' },
    stepUp: disableWorker.stepUp,
    effects: (reason) => [
      { icon: IconUserShield, label: `Account of ${name}`, was: statusLabels[status], value: statusLabels.disabled },
      { icon: IconDeviceLaptop, label: 'Sessions', value: 'All sessions, known browsers and links end immediately.' },
      { icon: IconListDetails, label: 'Audit log', value: reason ? `“${reason}”` : 'With your reason' },
      { icon: IconArrowBackUp, label: 'Undo', value: 'Enable the worker again.' },
    ],
    action: `Disable ${name}`,
    form: hrefTo('/worker/tech/access', { worker: id }),
    run: (reason) =>
      act(() => send(disableWorker, { params, body: { reason } }), {
        done: () => toast(`${name} is disabled.`),
        failed: `Couldn't disable ${name}`,
      }),
  }
}
