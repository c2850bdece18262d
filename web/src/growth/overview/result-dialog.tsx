import { FigureDialog } from '#ui/figures/figure-dialog.tsx'
import type { OpenFigure } from '#ui/figures/use-figure.ts'
import { growthFigures } from './growth-figures.tsx'

interface Props {
  state: OpenFigure
  query?: { workerId: string }
  context?: string | undefined
  refreshedAt?: string | null
}

/** The definition of a number of referrals or of the team. */
export default function ResultDialog({ state, ...rest }: Props) {
  return <FigureDialog set={growthFigures} {...state} {...rest} />
}
