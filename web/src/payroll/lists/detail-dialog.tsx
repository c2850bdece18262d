import type { EntryReply } from '@limber/contract/payroll/lists/detail.ts'
import { IconReceiptTax } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { CustomerLink } from '#support/public.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { RecordButton } from '#ui/table/record-button.tsx'
import { Dollars } from '../dollars.tsx'
import { CancelEntry } from '../entries/cancel-entry.tsx'
import { entryMeaning, entryName, labelOf } from '../labels.ts'
import { detailQuery } from '../payroll.api.ts'
import styles from './lists.module.css'
import { EarnerLink, PeriodLink } from './record-links.tsx'

function Tax({ recorded, adjustment }: { recorded: number; adjustment: number }) {
  if (adjustment === 0) return <Dollars of={recorded} />
  return (
    <span>
      <Dollars of={recorded} />, adjusted by <Dollars of={adjustment} isSigned />
    </span>
  )
}

/** Links to the bookings of the customer. */
function Booking({ entry: { booking_id, customer_id } }: { entry: EntryReply }) {
  if (booking_id === null) return '--'
  if (customer_id === null) return booking_id
  return (
    <CustomerLink id={customer_id} tab="bookings">
      {booking_id}
    </CustomerLink>
  )
}

function Entry({ entry }: { entry: EntryReply }) {
  return (
    <div className={styles.facts}>
      <Facts>
        <Facts.Row label="Earner">
          <EarnerLink id={entry.earner_id} name={entry.earner_name} />
        </Facts.Row>
        <Facts.Row label="Type">
          <span>
            {labelOf(entry.type)}
            {entry.sub_type && `, ${entry.sub_type}`}
          </span>
        </Facts.Row>
        <Facts.Row label="Amount">
          <Dollars of={entry.amount} />
        </Facts.Row>
        <Facts.Row label="Withheld">
          <Tax recorded={entry.withheld_tax} adjustment={entry.employee_adjustment} />
        </Facts.Row>
        <Facts.Row label="Net pay">
          <span>
            <Dollars of={entry.net_pay} />
            {entry.employee_adjustment !== 0 && (
              <>
                , <Dollars of={entry.net_pay - entry.employee_adjustment} /> after adjustment
              </>
            )}
          </span>
        </Facts.Row>
        <Facts.Row label="Employer tax">
          <Tax recorded={entry.employer_tax} adjustment={entry.employer_adjustment} />
        </Facts.Row>
        <Facts.Row label="Work date">{dayText(entry.work_date)}</Facts.Row>
        <Facts.Row label="Pay date">{dayText(entry.pay_date)}</Facts.Row>
        <Facts.Row label="Pay period">
          <span>
            <PeriodLink
              id={entry.pay_period_id}
              from={entry.period_start}
              to={entry.period_end}
              earner={entry.earner_id}
            />
            , {entry.is_period_closed ? 'closed' : 'open'}
          </span>
        </Facts.Row>
        <Facts.Row label="Booking">
          <Booking entry={entry} />
        </Facts.Row>
        {entry.onsite_session_id !== null && (
          <Facts.Row label="On-site session">
            <RecordLink
              to="/worker/managing/businesses/sessions"
              search={{ session: entry.onsite_session_id }}
              needs="businesses.manage"
            >
              {entry.onsite_session_id}
            </RecordLink>
          </Facts.Row>
        )}
        <Facts.Row label="Status">
          <StatusBadge meaning={entryMeaning[entry.status] ?? 'plain'}>{labelOf(entry.status)}</StatusBadge>
        </Facts.Row>
        {entry.void_reason !== null && (
          <Facts.Row label="Voided">
            The work did not take place: {entry.void_reason} The next pay runs will settle the amount.
          </Facts.Row>
        )}
      </Facts>
      <div className={styles.actions}>
        <CancelEntry entry={entry} />
        {entry.status === 'paid' && entry.void_reason === null && (
          <RecordButton
            to="/worker/financial/tax-audit"
            search={{
              from: entry.pay_date,
              to: entry.pay_date,
              earner: entry.earner_id,
              entry: entry.id,
            }}
            needs="payroll.audit"
            icon={IconReceiptTax}
            size="xs"
          >
            Audit this pay date
          </RecordButton>
        )}
      </div>
    </div>
  )
}

export function DetailDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(detailQuery(id))
  return (
    <Dialog isOpen={id > 0} onClose={onClose} title={id > 0 ? `Payroll entry ${entryName(id)}` : 'Payroll entry'}>
      <QueryView query={query} failure="Failed to fetch payroll details." loading={<TextSkeleton lines={8} />}>
        {(entry) => <Entry entry={entry} />}
      </QueryView>
    </Dialog>
  )
}
