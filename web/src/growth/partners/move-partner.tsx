import {
  changePartner,
  type PartnerDetail,
  type PartnerStatus,
  PILOT_DAYS,
} from '@limber/contract/growth/partners/partner.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { AreaField, TextField } from '#ui/form/fields.tsx'
import { Form } from '#ui/form/form.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { statusLabels } from './labels.ts'
import { upcomingQuery, useChangePartner } from './partner.api.ts'

/** The meaning of a status; for a status not selected yet, the effect of selecting it. */
const hints: Record<PartnerStatus, { is: string; becomes?: string }> = {
  contacted: { is: 'They know about us. Nothing is agreed yet.' },
  pending: { is: 'They are trying the service.', becomes: `A ${PILOT_DAYS}-day pilot starts today.` },
  active: { is: 'The contract is signed. The overview warns before the renewal date.' },
  inactive: { is: 'The partnership has ended.', becomes: 'The partnership ends today.' },
}

const hintOf = (status: PartnerStatus, { status: now }: PartnerDetail) =>
  (status !== now && hints[status].becomes) || hints[status].is

const statusText = ({ status, renewalDate }: PartnerDetail) =>
  renewalDate ? `${statusLabels[status]}, renews on ${dayText(renewalDate)}` : statusLabels[status]

/** Ending a partnership cancels no sessions: agreed sessions may still take place. */
function UpcomingSessions({ businessId }: { businessId: number }) {
  const { data } = useQuery(upcomingQuery({ businessId: String(businessId), limit: '1' }))
  const upcoming = data?.pagination.totalItems ?? 0
  if (upcoming === 0) return null
  return (
    <Banner kind="amber">
      {pluralize(upcoming, 'upcoming session stays', 'upcoming sessions stay')} scheduled. To cancel, open Business
      administration.
    </Banner>
  )
}

interface MoveProps {
  partner: PartnerDetail
  status: PartnerStatus
  /** Resets the form to the saved partner. */
  onRestart: () => void
}

/** Changes by another worker are announced and do not discard typed text. */
function MoveForm({ partner, status, onRestart }: MoveProps) {
  const [base] = useState(partner)
  const change = useChangePartner(partner.id)
  const saved = statusText(partner)
  return (
    <Form
      schema={changePartner.body}
      mutation={change}
      initial={base.renewalDate && status === 'active' ? { renewalDate: base.renewalDate } : {}}
      fixed={{ status, version: partner.version }}
      submit={status === partner.status ? 'Renew' : 'Change status'}
      isQuiet
      isGuarded
      record="partner"
      onDone={() => {
        toast(`${partner.name}: ${statusLabels[status]}.`)
        onRestart()
      }}
    >
      {saved !== statusText(base) && (
        <Banner
          kind="amber"
          action={
            <Button variant="default" size="xs" onClick={onRestart}>
              Discard and show the saved status
            </Button>
          }
        >
          Someone else changed the status: {saved}.
        </Banner>
      )}
      {status === 'active' && <DayField label="Renewal date" name="renewalDate" />}
      {status === 'inactive' && (
        <>
          <UpcomingSessions businessId={partner.id} />
          <TextField label="Reason" name="reason" />
        </>
      )}
      <AreaField label="Note" name="note" rows={2} isOptional />
    </Form>
  )
}

/** The status of a partner, and the fields that another status needs. */
export function MovePartner({ partner }: { partner: PartnerDetail }) {
  const [chosen, setChosen] = useState<PartnerStatus>()
  const [round, setRound] = useState(0)
  const status = chosen ?? partner.status
  return (
    <>
      <NativeSelect
        label="Status"
        data={Object.entries(statusLabels).map(([value, label]) => ({ value, label }))}
        value={status}
        description={hintOf(status, partner)}
        inputWrapperOrder={['label', 'input', 'description']}
        onChange={(event) => setChosen(event.currentTarget.value as PartnerStatus)}
      />
      {(status !== partner.status || status === 'active') && (
        <MoveForm
          key={`${status}-${round}`}
          partner={partner}
          status={status}
          onRestart={() => {
            setChosen(undefined)
            setRound(round + 1)
          }}
        />
      )}
    </>
  )
}
