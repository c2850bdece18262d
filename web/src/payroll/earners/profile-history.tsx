import type { EarnerReply } from '@limber/contract/payroll/earners/earner.ts'
import { IconFileText } from '@tabler/icons-react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { Dollars } from '../dollars.tsx'
import { labelOf } from '../labels.ts'

/** Every W-4 and DE 4 on file. The latest one for a day applies. */
export function ProfileHistory({ earner: { history } }: { earner: EarnerReply }) {
  return (
    <SectionCard title="History" isFlush>
      {history.length === 0 ? (
        <EmptyState icon={IconFileText} title="No W-4 or DE 4 on file" />
      ) : (
        <PlainTable label="W-4 and DE 4 history">
          <thead>
            <tr>
              <th scope="col">Effective from</th>
              <th scope="col">Filing status</th>
              <th scope="col">Step 2</th>
              <th scope="col">Step 3</th>
              <th scope="col">Step 4(a)</th>
              <th scope="col">Step 4(b)</th>
              <th scope="col">Step 4(c)</th>
              <th scope="col">DE 4 allowances</th>
              <th scope="col">Recorded</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {history.map((profile) => (
              <tr key={profile.id}>
                <td>{dayText(profile.effective_from)}</td>
                <td>{labelOf(profile.filing_status)}</td>
                <td>{profile.step2_checkbox ? 'checked' : '--'}</td>
                <td>
                  <Dollars of={profile.step3_credits} />
                </td>
                <td>
                  <Dollars of={profile.step4a_income} />
                </td>
                <td>
                  <Dollars of={profile.step4b_deductions} />
                </td>
                <td>
                  <Dollars of={profile.step4c_extra} />
                </td>
                <td>
                  {profile.regular_allowances} + {profile.estimated_allowances}
                </td>
                <td>
                  <Moment at={profile.recorded_at} />
                </td>
                <td>{profile.recorded_by ?? '--'}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </SectionCard>
  )
}
