import type { LeadDetail } from '@limber/contract/marketing/leads/lead.ts'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField } from '#ui/form/fields.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useSetStatus } from './lead.api.ts'
import { lostReasons, nameOf, statusLabels } from './lead-labels.ts'

const Draft = z.object({ reason: z.string().optional(), words: z.string().trim().max(400).optional() })
type Draft = z.input<typeof Draft>
const Correction = Draft.refine(({ reason, words }) => Boolean(reason || words), {
  path: ['reason'],
  message: 'is required',
})

/** Splits a stored reason into a listed reason and free text. */
function draftOf(text: string): Draft {
  const reason = lostReasons.find((one) => text === one || text.startsWith(`${one}: `))
  const words = reason ? text.slice(reason.length + 2) : text
  return { ...(reason && { reason }), ...(words && { words }) }
}

/** Asks why a lead is not interested. The reason is optional and can be edited later. */
export function LostReason({ lead, onClose }: { lead: LeadDetail; onClose: () => void }) {
  const set = useSetStatus()
  const isLost = lead.status === 'not_interested'
  const mutation = {
    mutateAsync: async ({ reason, words }: Draft) => {
      const text = [reason, words?.trim()].filter(Boolean).join(': ')
      const body = { leadId: lead.id, status: 'not_interested' as const, version: lead.version }
      const saved = await set.mutateAsync({ ...body, ...(text && { reason: text }) }).catch((error: unknown) => {
        toastFailure('Update failed', error)
        throw error
      })
      toastUndo(`${nameOf(saved)} is now ${statusLabels.not_interested}.`, saved)
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Why is ${nameOf(lead)} not interested?`}
      context="Reasons are counted in the funnel. They show what to improve."
      submit={isLost ? 'Save' : 'Set to Not Interested'}
      schema={isLost ? Correction : Draft}
      initial={draftOf(lead.lostReason ?? '')}
      mutation={mutation}
      size={400}
    >
      <ChoiceField
        label="Reason"
        name="reason"
        placeholder="Unknown"
        options={lostReasons.map((reason) => ({ value: reason, label: reason }))}
      />
      <AreaField label="In their words" name="words" rows={2} isOptional />
    </FormDialog>
  )
}
