import type { EarnerReply } from '@limber/contract/payroll/earners/earner.ts'
import { Button } from '@mantine/core'
import { IconArrowsExchange, IconFileText, IconListDetails, IconPlus, IconReceiptTax } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { WorkerLink } from '#access/public.tsx'
import { StretcherLink } from '#platform/routing/stretcher-link.tsx'
import { Can } from '#platform/session/session.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { DetailActions, DetailHead, DetailPane } from '#ui/layout/detail-pane.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { RecordButton } from '#ui/table/record-button.tsx'
import { Dollars } from '../dollars.tsx'
import { labelOf } from '../labels.ts'
import { earnerQuery, type Profile } from './earner.api.ts'
import { EarnerDues } from './earner-dues.tsx'
import styles from './earners.module.css'
import { ProfileHistory } from './profile-history.tsx'
import { YearToDate } from './year-to-date.tsx'

// Loaded on demand: most visits only read.
const EntryDialog = lazy(() => import('../entries/entry-dialog.tsx'))
const ProfileDialog = lazy(() => import('./profile-dialog.tsx'))

function TaxProfileFacts({ profile }: { profile: Profile }) {
  return (
    <Facts>
      <Facts.Row label="Filing status">{labelOf(profile.filing_status)}</Facts.Row>
      <Facts.Row label="Effective from">{dayText(profile.effective_from)}</Facts.Row>
      <Facts.Row label="W-4 step 2">{profile.step2_checkbox ? 'checked' : 'not checked'}</Facts.Row>
      <Facts.Row label="W-4 step 3, dependents and credits">
        <Dollars of={profile.step3_credits} />
      </Facts.Row>
      <Facts.Row label="W-4 step 4(a), other income">
        <Dollars of={profile.step4a_income} />
      </Facts.Row>
      <Facts.Row label="W-4 step 4(b), deductions">
        <Dollars of={profile.step4b_deductions} />
      </Facts.Row>
      <Facts.Row label="W-4 step 4(c), extra withholding">
        <Dollars of={profile.step4c_extra} />
      </Facts.Row>
      <Facts.Row label="DE 4 regular allowances">{profile.regular_allowances}</Facts.Row>
      <Facts.Row label="DE 4 estimated deduction allowances">{profile.estimated_allowances}</Facts.Row>
    </Facts>
  )
}

/** Links to the record of the stretcher or worker. */
function Kind({ earner: { kind, person_id } }: { earner: EarnerReply }) {
  const Named = kind === 'stretcher' ? StretcherLink : WorkerLink
  return <Named id={person_id}>{kind}</Named>
}

interface ActionsProps {
  earner: EarnerReply
  onRecord: () => void
  onAdd: () => void
}

function Actions({ earner, onRecord, onAdd }: ActionsProps) {
  const search = { earner: earner.id }
  return (
    <DetailActions>
      <RecordButton to="/worker/financial/details" search={search} needs="payroll.details" icon={IconListDetails}>
        Payroll entries
      </RecordButton>
      <RecordButton
        to="/worker/financial/transactions"
        search={search}
        needs="payroll.transactions"
        icon={IconArrowsExchange}
      >
        Transactions
      </RecordButton>
      <RecordButton to="/worker/financial/tax-audit" search={search} needs="payroll.audit" icon={IconReceiptTax}>
        Tax audit
      </RecordButton>
      <Can permission="payroll.details">
        <Button variant="default" leftSection={<Icon of={IconPlus} />} onClick={onAdd}>
          Add pay
        </Button>
      </Can>
      <Can permission="payroll.settings">
        <Button leftSection={<Icon of={IconFileText} />} onClick={onRecord}>
          Record W-4 and DE 4
        </Button>
      </Can>
    </DetailActions>
  )
}

/** One earner: the current W-4 and DE 4, the year so far, settlements and history. */
export function EarnerDetail({ id }: { id: number }) {
  const query = useQuery(earnerQuery(id))
  const [isRecording, setRecording] = useState(false)
  const [isAdding, setAdding] = useState(false)
  return (
    <QueryView query={query} failure="Couldn't load this earner" loading={<TextSkeleton lines={6} />}>
      {(earner) => (
        <DetailPane>
          <DetailHead
            title={earner.name}
            sub={
              <span className={styles.meta}>
                <Kind earner={earner} />
              </span>
            }
            actions={<Actions earner={earner} onRecord={() => setRecording(true)} onAdd={() => setAdding(true)} />}
          />
          <SectionCard title="W-4 and DE 4">
            {earner.profile ? (
              <TaxProfileFacts profile={earner.profile} />
            ) : (
              <p className={styles.meta}>No W-4 or DE 4 on file. Taxes are withheld as single with no allowances.</p>
            )}
          </SectionCard>
          <YearToDate earner={earner} />
          <EarnerDues earner={earner} />
          <ProfileHistory earner={earner} />
          <Suspense>
            {isAdding && <EntryDialog earner={earner} onClose={() => setAdding(false)} />}
            {isRecording && <ProfileDialog earner={earner} onClose={() => setRecording(false)} />}
          </Suspense>
        </DetailPane>
      )}
    </QueryView>
  )
}
