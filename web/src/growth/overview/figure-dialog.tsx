import type { Span } from '@limber/contract/growth/values.ts'
import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { FigureDialog } from '#ui/figures/figure-dialog.tsx'
import { dayText } from '#ui/format/day-text.ts'
import type { TurnPage } from '#ui/table/use-last-page.ts'
import { rangeLabels } from '../labels.ts'
import { definitionOf, type FigureScope } from './figure-labels.ts'
import { growthFigures } from './growth-figures.tsx'

interface Props {
  figure: string
  span: Span
  scope?: FigureScope
  /** The label of the place. */
  place?: string
  /** The page of the rows. */
  page: number
  onPage: TurnPage
  /** Opens one of the figures a ratio is calculated from. */
  onOpen: (figure: string) => void
  onClose: () => void
}

/** The definition of a number of the overview or the map, for its range and place. */
export default function GrowthFigureDialog({ figure, span, scope, place, ...state }: Props) {
  const range = `${rangeLabels[span.range]}, ${formatDayRange(span.from, span.to)}`
  const isOfRange = definitionOf(figure)?.of !== 'now'
  return (
    <FigureDialog
      set={growthFigures}
      figure={figure}
      query={{ range: span.range, ...scope }}
      before={isOfRange ? { range: span.range, ...scope, period: 'previous' } : undefined}
      context={place}
      period={isOfRange ? range : `As of ${dayText(span.to)}`}
      refreshedAt={span.refreshedAt}
      {...state}
    />
  )
}
