import { type LeadDetail, LeadStatus } from '@limber/contract/marketing/lead.ts'
import { Button, NativeSelect } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Can, useCan } from '#platform/session.tsx'
import { DetailActions } from '#ui/detail-pane.tsx'
import { toast, toastFailure } from '#ui/toast-store.ts'
import { useConvert, useSetStatus } from './lead.api.ts'
import { nameOf, statusWords } from './words.ts'

const LostReason = lazy(async () => ({ default: (await import('./lost-reason.tsx')).LostReason }))

/** The status of a lead, and the way to make a customer of it. */
export function LeadActions({ lead }: { lead: LeadDetail }) {
  const canConvert = useCan('leads.convert')
  const set = useSetStatus()
  const convert = useConvert(lead.id)
  const [isLosing, setLosing] = useState(false)
  const isConverted = lead.status === 'converted'
  const choose = (status: LeadStatus) => {
    if (status === 'not_interested') return setLosing(true)
    // Whoever goes on to the next lead hears of it all the same: a promise outlives its part of the screen.
    void set
      .mutateAsync({ leadId: lead.id, status, version: lead.version })
      .catch((error: unknown) => toastFailure('Update failed', error))
  }
  const press = () =>
    void convert.mutateAsync(undefined).then(
      () => toast(`${nameOf(lead)} is a customer now.`),
      (error: unknown) => toastFailure('Convert failed', error),
    )
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
        disabled={set.isPending || convert.isPending}
        onChange={(event) => choose(LeadStatus.parse(event.currentTarget.value))}
      />
      {!isConverted && (
        <Can permission="leads.convert">
          <Button onClick={press} loading={convert.isPending} disabled={set.isPending}>
            Convert
          </Button>
        </Can>
      )}
      {isLosing && (
        <Suspense fallback={null}>
          <LostReason lead={lead} onClose={() => setLosing(false)} />
        </Suspense>
      )}
    </DetailActions>
  )
}
