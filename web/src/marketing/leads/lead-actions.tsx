import {
  type LeadDetail,
  LeadStatus,
  UNDO_CONVERSION_HOURS,
  undoConversionUntil,
} from '@limber/contract/marketing/leads/lead.ts'
import { Button, NativeSelect } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { now } from '#platform/clock.ts'
import { Can, useCan } from '#platform/session/session.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { DetailActions } from '#ui/layout/detail-pane.tsx'
import { useConvert, useSetStatus, useUndoConversion } from './lead.api.ts'
import { nameOf, statusLabels } from './lead-labels.ts'

const LostReason = lazy(async () => ({ default: (await import('./lost-reason.tsx')).LostReason }))

const TOAST_DURATION = 10_000

/** Explains what the conversion does before it happens. */
function confirmConversion(lead: LeadDetail): Promise<boolean> {
  const account = lead.customer
    ? `This links their existing customer account again: ${lead.customer.name}, number ${lead.customer.id}.`
    : `This creates a customer account for ${lead.email ?? 'them'}, or links the account that already has this address.`
  return confirm({
    title: `Convert ${nameOf(lead)} to a customer?`,
    body: `${account} You can undo it for ${UNDO_CONVERSION_HOURS} hours while the account is unused.`,
    action: 'Convert',
  })
}

const canUndo = (lead: LeadDetail) => {
  const until = undoConversionUntil(lead)
  return until !== null && now() < until
}

/** Converts a lead and undoes the conversion, each after a confirmation. */
function useConversion(lead: LeadDetail) {
  const convert = useConvert(lead.id)
  const undo = useUndoConversion(lead.id)
  const undoConversion = () =>
    // The toast with Undo can outlive the screen.
    void undo.mutateAsync(undefined).then(
      (restored) => toast(`Conversion undone. ${nameOf(restored)} is ${statusLabels[restored.status]} again.`),
      (error: unknown) => toastFailure("Couldn't undo the conversion", error),
    )
  const done = () =>
    toast(`${nameOf(lead)} is now a customer.`, {
      duration: TOAST_DURATION,
      action: { label: 'Undo', run: undoConversion },
    })
  const askAndConvert = async () => {
    if (!(await confirmConversion(lead))) return
    await convert.mutateAsync(undefined).then(done, (error: unknown) => toastFailure('Convert failed', error))
  }
  const askAndUndo = async () => {
    const isSure = await confirm({
      title: `Undo the conversion of ${nameOf(lead)}?`,
      body: 'The lead returns to its previous status. If the conversion created an account and no one has used it, the account is deleted.',
      action: 'Undo conversion',
      cancel: 'Keep as customer',
    })
    if (isSure) undoConversion()
  }
  return { askAndConvert, askAndUndo, done, isPending: convert.isPending || undo.isPending }
}

/** Sets the status of a lead and converts it. */
export function LeadActions({ lead }: { lead: LeadDetail }) {
  const canConvert = useCan('leads.convert')
  const set = useSetStatus()
  const conversion = useConversion(lead)
  const [isLosing, setLosing] = useState(false)
  const isConverted = lead.status === 'converted'
  const selectStatus = async (status: LeadStatus) => {
    if (status === 'converted' && !(await confirmConversion(lead))) return
    if (isConverted && !(await confirmLeaving(lead, status))) return
    if (status === 'not_interested') return setLosing(true)
    // The promise reports the result even after the worker has opened another lead.
    await set.mutateAsync({ leadId: lead.id, status, version: lead.version }).then(
      (saved) => {
        if (status === 'converted') conversion.done()
        // A conversion is undone in its own way.
        else if (!isConverted) toastUndo(`${nameOf(saved)} is now ${statusLabels[status]}.`, saved)
      },
      (error: unknown) => toastFailure('Update failed', error),
    )
  }
  const options = LeadStatus.options
    // Workers without the permission cannot select Converted, but a converted lead still shows it.
    .filter((status) => status !== 'converted' || canConvert || isConverted)
    .map((status) => ({ value: status, label: statusLabels[status] }))
  return (
    <DetailActions>
      <NativeSelect
        aria-label="Status"
        data={options}
        // Optimistic: shows the selected status at once and reverts on failure.
        value={set.isPending ? set.variables.status : lead.status}
        disabled={set.isPending || conversion.isPending}
        onChange={(event) => void selectStatus(LeadStatus.parse(event.currentTarget.value))}
      />
      <Can permission="leads.convert">
        {!isConverted && (
          <Button
            onClick={() => void conversion.askAndConvert()}
            loading={conversion.isPending}
            disabled={set.isPending}
          >
            Convert
          </Button>
        )}
        {canUndo(lead) && (
          <Button
            variant="default"
            onClick={() => void conversion.askAndUndo()}
            loading={conversion.isPending}
            disabled={set.isPending}
          >
            Undo conversion
          </Button>
        )}
      </Can>
      {isLosing && (
        <Suspense fallback={null}>
          <LostReason lead={lead} onClose={() => setLosing(false)} />
        </Suspense>
      )}
    </DetailActions>
  )
}

/** Explains what happens to the customer account when a lead leaves Converted. */
const confirmLeaving = (lead: LeadDetail, status: LeadStatus) =>
  confirm({
    title: `Set ${nameOf(lead)} to ${statusLabels[status]}?`,
    body: 'The lead no longer counts as converted. If the conversion created an account in the last 24 hours and no one has used it, the account is deleted. Any other account is kept.',
    action: `Set to ${statusLabels[status]}`,
  })
