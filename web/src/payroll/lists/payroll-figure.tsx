import { addDays, daysBetween } from '@limber/contract/kit/days.ts'
import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import {
  exportPayrollFigure,
  listPayrollFigure,
  payrollFigures,
} from '@limber/contract/payroll/lists/payroll-figure.ts'
import type { PayrollSummary } from '@limber/contract/payroll/lists/summary.ts'
import { FigureDialog, type FigureSet } from '#ui/figures/figure-dialog.tsx'
import type { OpenFigure } from '#ui/figures/use-figure.ts'
import { dayText } from '#ui/format/day-text.ts'
import { dollarsText } from '../dollars.tsx'
import { payrollKey } from '../payroll.api.ts'
import { EarnerLink } from './record-links.tsx'

const set: FigureSet = {
  counted: payrollFigures,
  list: listPayrollFigure,
  file: exportPayrollFigure,
  key: payrollKey,
  hasSearch: true,
  text: (_, value) => dollarsText(value),
  nameOf: (_, row) => <EarnerLink id={row.id} name={row.name} />,
}

interface Props {
  state: OpenFigure
  from: string
  to: string
  periods: readonly Pick<PayrollSummary['periods'][number], 'id' | 'startsOn' | 'endsOn'>[]
}

function rangeText(from: string, to: string) {
  if (from && to) return `Paid ${formatDayRange(from, to)}`
  if (from) return `Paid from ${dayText(from)}`
  return to ? `Paid up to ${dayText(to)}` : 'All time'
}

/** The pay period before, or as many days before a range. */
function filtersBefore({ state, from, to, periods }: Props) {
  if (state.of) {
    const before = periods[periods.findIndex(({ id }) => String(id) === state.of) + 1]
    return before && { periodId: String(before.id) }
  }
  if (!from || !to) return undefined
  const days = daysBetween(from, to) + 1
  return { from: addDays(from, -days), to: addDays(from, -1) }
}

/** The definition of a number of the payroll summary, and the earners behind it. */
export default function PayrollFigure(props: Props) {
  const { state, from, to, periods } = props
  const period = periods.find(({ id }) => String(id) === state.of)
  return (
    <FigureDialog
      set={set}
      query={state.of ? { periodId: state.of } : { from, to }}
      period={period ? formatDayRange(period.startsOn, period.endsOn) : rangeText(from, to)}
      before={filtersBefore(props)}
      {...state}
    />
  )
}
