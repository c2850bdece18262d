import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import {
  type ReportGroup,
  type ReportRow,
  reportGroups,
  type TicketFigure,
} from '@limber/contract/support/report/figure.ts'
import type { SupportReport } from '@limber/contract/support/report/report.ts'
import { SegmentedControl } from '@mantine/core'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { figure as figureClass, PlainTable } from '#ui/table/plain-table.tsx'
import type { ReportSearch } from './report-search.ts'
import { Count } from './report-summary.tsx'
import { shareText, timeText } from './report-text.ts'

const groupLabels: Record<ReportGroup, string> = {
  week: 'Week',
  agent: 'Assignee',
  channel: 'Channel',
  kind: 'Kind',
  tag: 'Tag',
}

const empty: Partial<Record<ReportGroup, string>> = { tag: 'No ticket in this range has a tag.' }

interface RowProps {
  search: ReportSearch
  row: ReportRow
}

function Cells({ search, row }: RowProps) {
  const { opened, replied, closed, kept, missed, good, bad, firstReply, resolution } = row
  const cell = (figure: TicketFigure, value: number, text = formatInteger(value)) => (
    <td className={figureClass}>
      {value === 0 ? (
        text
      ) : (
        <Count search={search} figure={figure} row={row} label={`${row.label}, ${figure}: ${text}`}>
          {text}
        </Count>
      )}
    </td>
  )
  return (
    <>
      {cell('opened', opened)}
      {cell('closed', closed)}
      {cell('replied', replied, firstReply ? timeText(firstReply.median) : '--')}
      {cell('replied', replied, firstReply ? timeText(firstReply.p90) : '--')}
      {cell('closed', resolution ? closed : 0, resolution ? timeText(resolution.median) : '--')}
      {cell('closed', resolution ? closed : 0, resolution ? timeText(resolution.p90) : '--')}
      {cell('kept', kept, shareText(kept, kept + missed))}
      {cell('missed', missed)}
      {cell('good', good, shareText(good, good + bad))}
      {cell('bad', bad)}
    </>
  )
}

interface Props {
  search: ReportSearch
  report: SupportReport
  onChange: (change: Partial<ReportSearch>) => void
}

/** The figures by week or by a property of the tickets. */
export function ReportTable({ search, report: { rows, total }, onChange }: Props) {
  const { by } = search
  const choice = (
    <SegmentedControl
      aria-label="Group by"
      data={reportGroups.map((value) => ({ value, label: groupLabels[value] }))}
      value={by}
      onChange={(value) => onChange({ by: value as ReportGroup })}
    />
  )
  return (
    <SectionCard title={`By ${groupLabels[by].toLowerCase()}`} actions={choice} isFlush>
      <PlainTable label={`By ${groupLabels[by].toLowerCase()}`}>
        <thead>
          <tr>
            <th>{groupLabels[by]}</th>
            <th className={figureClass}>Opened</th>
            <th className={figureClass}>Closed</th>
            <th className={figureClass}>Median first response</th>
            <th className={figureClass}>90% within</th>
            <th className={figureClass}>Median resolution</th>
            <th className={figureClass}>90% within</th>
            <th className={figureClass}>Promises kept</th>
            <th className={figureClass}>Missed</th>
            <th className={figureClass}>Rated good</th>
            <th className={figureClass}>Bad</th>
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={11}>{empty[by] ?? 'Nothing in this range.'}</td>
            </tr>
          )}
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              <Cells search={search} row={row} />
            </tr>
          ))}
        </tbody>
        {rows.length > 0 && (
          <tfoot>
            <tr>
              <td>All tickets</td>
              <Cells search={search} row={total} />
            </tr>
          </tfoot>
        )}
      </PlainTable>
    </SectionCard>
  )
}
