import { z } from 'zod'
import { useSearchState } from '#platform/routing/search.ts'
import type { TurnPage } from '../table/use-last-page.ts'

const FigureSearch = z.object({
  figure: z.string().max(40).catch(''),
  /** The record whose figure is open, such as a campaign or a pay period. */
  figureOf: z.string().max(20).catch(''),
  figurePage: z.coerce.number().int().min(1).max(100_000).catch(1),
})

export interface OpenFigure {
  figure: string
  of: string
  page: number
  onPage: TurnPage
  onOpen: (figure: string, of?: string | number) => void
  onClose: () => void
}

/** The open figure of a screen and the page of its rows, kept in the URL. */
export function useFigure(): OpenFigure {
  const [{ figure, figureOf, figurePage }, change] = useSearchState(FigureSearch)
  return {
    figure,
    of: figureOf,
    page: figurePage,
    onPage: (next, how) => change({ figurePage: next }, how),
    onOpen: (next, of = '') => change({ figure: next, figureOf: String(of), figurePage: 1 }),
    onClose: () => change({ figure: '', figureOf: '', figurePage: 1 }),
  }
}
