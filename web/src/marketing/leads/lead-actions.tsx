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
import { DetailActions } from '#ui/layout/detail-pane.tsx'
import { useConvert, useSetStatus, useUndoConversion } from './lead.api.ts'
import { nameOf, statusWords } from './words.ts'

const LostReason = lazy(async () => ({ default: (await import('./lost-reason.tsx')).LostReason }))

const TOAST_LASTS = 10_000

/** What a conversion does, before it is done. */
function confirmConversion(lead: LeadDetail): Promise<boolean> {
  const account = lead.customer
    ? `They get their customer account back: ${lead.customer.name}, number ${lead.customer.id}.`
    : `This opens a customer account for ${lead.email ?? 'them'}, or links the account that has this address already.`
  return confirm({
    title: `Convert ${nameOf(lead)} to a customer?`,
    body: `${account} You can undo it for ${UNDO_CONVERSION_HOURS} hours, as long as the account is not used.`,
    action: 'Convert',
  })
}

const canUndo = (lead: LeadDetail) => {
  const until = undoConversionUntil(lead)
  return until !== null && now() < until
}

/** The conversion of a lead, with the way to undo it. */
function useConversion(lead: LeadDetail) {
  const convert = useConvert(lead.id)
  const undo = useUndoConversion(lead.id)
  const takeBack = () =>
    // A toast with Undo may outlive the screen that it came from.
    void undo.mutateAsync(undefined).then(
      (restored) => toast(`Undone. ${nameOf(restored)} is ${statusWords[restored.status]} again.`),
      (error: unknown) => toastFailure('The conversion was not undone', error),
    )
  const done = () =>
    toast(`${nameOf(lead)} is a customer now.`, { duration: TOAST_LASTS, action: { label: 'Undo', run: takeBack } })
  const askAndConvert = async () => {
    if (!(await confirmConversion(lead))) return
    await convert.mutateAsync(undefined).then(done, (error: unknown) => toastFailure('Convert failed', error))
  }
  const askAndUndo = async () => {
    const isSure = await confirm({
      title: `Undo the conversion of ${nameOf(lead)}?`,
      body: 'The lead goes back to where it was. An account that the conversion opened is removed if nobody has used it.',
      action: 'Undo conversion',
      cancel: 'Keep as customer',
    })
    if (isSure) takeBack()
  }
  return { askAndConvert, askAndUndo, done, isPending: convert.isPending || undo.isPending }
}

/** The status of a lead, and the way to make a customer of it. */
export function LeadActions({ lead }: { lead: LeadDetail }) {
  const canConvert = useCan('leads.convert')
  const set = useSetStatus()
  const conversion = useConversion(lead)
  const [isLosing, setLosing] = useState(false)
  const isConverted = lead.status === 'converted'
  const choose = async (status: LeadStatus) => {
    if (status === 'converted' && !(await confirmConversion(lead))) return
    if (isConverted && !(await confirmLeaving(lead, status))) return
    if (status === 'not_interested') return setLosing(true)
    // Whoever goes on to the next lead hears of it all the same: a promise outlives its part of the screen.
    await set.mutateAsync({ leadId: lead.id, status, version: lead.version }).then(
      () => status === 'converted' && conversion.done(),
      (error: unknown) => toastFailure('Update failed', error),
    )
  }
  const options = LeadStatus.options
    // Who may not convert cannot choose it; a lead that is converted still shows it.
    .filter((status) => status !== 'converted' || canConvert || isConverted)
    .map((status) => ({ value: status, label: statusWords[status] }))
  return (
    <DetailActions>
      <NativeSelect
        aria-label="Status"
        data={options}
        // What was chosen shows at once; what failed goes back.
        value={set.isPending ? set.variables.status : lead.status}
        disabled={set.isPending || conversion.isPending}
        onChange={(event) => void choose(LeadStatus.parse(event.currentTarget.value))}
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

/** What happens to the customer when a lead leaves Converted. */
const confirmLeaving = (lead: LeadDetail, status: LeadStatus) =>
  confirm({
    title: `Set ${nameOf(lead)} to ${statusWords[status]}?`,
    body: 'The lead no longer counts as converted. An account that the conversion opened in the last 24 hours is removed if nobody has used it; any other account stays.',
    action: `Set to ${statusWords[status]}`,
  })
