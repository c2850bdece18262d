import type { PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { settingsFields } from './settings-fields.ts'

const stateLabels = { in_force: 'In effect', planned: 'Scheduled', replaced: 'Replaced', past: 'Past' } as const
const meaning = { in_force: 'green', planned: 'blue', replaced: 'plain', past: 'plain' } as const

/** Every change, latest effective date first, so scheduled changes come before the current settings. */
export function SettingsHistory({ settings: { history } }: { settings: PayrollSettings }) {
  return (
    <SectionCard title="History" isFlush>
      <PlainTable label="History">
        <thead>
          <tr>
            <th scope="col">Effective from</th>
            {settingsFields.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">Changed</th>
            <th scope="col">By</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {history.map((one) => (
            <tr key={one.version}>
              <td>{dayText(one.effectiveFrom)}</td>
              {settingsFields.map(({ name, show }) => (
                <td key={name}>{show(one)}</td>
              ))}
              <td>
                <Moment at={one.changedAt} />
              </td>
              <td>{one.changedBy ?? '--'}</td>
              <td>
                <StatusDot meaning={meaning[one.state]}>{stateLabels[one.state]}</StatusDot>
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </SectionCard>
  )
}
