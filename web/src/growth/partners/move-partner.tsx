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
import { upcomingQuery, useChangePartner } from './partner.api.ts'
import { statusWords } from './words.ts'

/** What a status means; for one that is still to be chosen, what choosing it does. */
const hints: Record<PartnerStatus, { is: string; becomes?: string }> = {
  contacted: { is: 'They know of us; nothing is agreed.' },
  pending: { is: 'They are trying it out.', becomes: `A pilot of ${PILOT_DAYS} days begins today.` },
  active: { is: 'Signed; the day of renewal feeds the warnings of the overview.' },
  inactive: { is: 'The partnership has ended.', becomes: 'The partnership ends today.' },
}

const hintOf = (status: PartnerStatus, { status: now }: PartnerDetail) =>
  (status !== now && hints[status].becomes) || hints[status].is

const standing = ({ status, renewalDate }: PartnerDetail) =>
  renewalDate ? `${statusWords[status]}, renews on ${dayText(renewalDate)}` : statusWords[status]

/** Ending a partnership cancels nothing: what was agreed may well take place. */
function SessionsAhead({ businessId }: { businessId: number }) {
  const { data } = useQuery(upcomingQuery({ businessId: String(businessId), limit: '1' }))
  const ahead = data?.pagination.totalItems ?? 0
  if (ahead === 0) return null
  return (
    <Banner kind="amber">
      {pluralize(ahead, 'session ahead stays', 'sessions ahead stay')} scheduled until somebody cancels: in the business
      administration.
    </Banner>
  )
}

interface MoveProps {
  partner: PartnerDetail
  status: PartnerStatus
  /** Begins again with the partner as it is saved. */
  onRestart: () => void
}

/** What a colleague saves meanwhile is told and takes nothing away that was typed. */
function MoveForm({ partner, status, onRestart }: MoveProps) {
  const [base] = useState(partner)
  const change = useChangePartner(partner.id)
  const saved = standing(partner)
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
        toast(`${partner.name}: ${statusWords[status]}.`)
        onRestart()
      }}
    >
      {saved !== standing(base) && (
        <Banner
          kind="amber"
          action={
            <Button variant="default" size="xs" onClick={onRestart}>
              Show what is saved
            </Button>
          }
        >
          Saved meanwhile: {saved}.
        </Banner>
      )}
      {status === 'active' && <DayField label="Renewal date" name="renewalDate" />}
      {status === 'inactive' && (
        <>
          <SessionsAhead businessId={partner.id} />
          <TextField label="Reason" name="reason" />
        </>
      )}
      <AreaField label="Note" name="note" rows={2} isOptional />
    </Form>
  )
}

/** The status of a partner, and what belongs to another one. */
export function MovePartner({ partner }: { partner: PartnerDetail }) {
  const [chosen, setChosen] = useState<PartnerStatus>()
  const [round, setRound] = useState(0)
  const status = chosen ?? partner.status
  return (
    <>
      <NativeSelect
        label="Status"
        data={Object.entries(statusWords).map(([value, label]) => ({ value, label }))}
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
