import {
  countedFigures,
  type FigureName,
  type RatioName,
  ratioFigures,
} from '@limber/contract/growth/overview/figure.ts'
import { ratioOf } from '@limber/contract/growth/overview/ratio.ts'
import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import type { FigureDefinition } from '@limber/contract/kit/figure.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { z } from 'zod'
import { dollars, percent } from '../labels.ts'

const cents = (value: number) => dollars(Math.round(value * 100) / 100)

/** The open figure and the page of its rows, as URL parameters. */
export const figureSearch = {
  figure: z.string().max(40).catch(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
}

export type AnyFigure = FigureName | RatioName

const isCounted = (name: string): name is FigureName => name in countedFigures
const isRatio = (name: string): name is RatioName => name in ratioFigures

/** Where a figure is counted; the whole company by default. */
export interface FigureScope {
  zoneId?: string
  city?: string
  bbox?: string
  category?: PayoutCategory
}

type Part = number | null

/** Formats a ratio as on the cards. */
const ratioTexts: Record<RatioName, (value: number) => string> = {
  growthPct: percent,
  churnRatePct: percent,
  bookingGrowthPct: percent,
  activePct: percent,
  perSession: cents,
  perStretcher: (value) => value.toFixed(1),
  avgRating: (value) => value.toFixed(2),
  teamConversionRate: percent,
  campaignRate: percent,
}

/** A ratio from its parts; '--' when the divisor is zero, undefined until all parts are loaded. */
export function ratioText(name: string, parts: readonly (Part | undefined)[]): string | undefined {
  if (!isRatio(name) || parts.includes(undefined)) return undefined
  const make: (...parts: number[]) => number | null = ratioOf[name]
  const value = parts.includes(null) ? null : make(...(parts as number[]))
  return value === null ? '--' : ratioTexts[name](value)
}

/** Formats a figure as on the cards, or the amount of one of its rows; '--' for the average of no rows. */
export function valueText(name: FigureName, value: number | null, isRow = false): string {
  const { unit }: FigureDefinition = countedFigures[name]
  if (value === null) return '--'
  if (unit === 'dollars' || (isRow && !unit)) return dollars(value)
  if (unit === 'minutes') return `${formatInteger(Math.round(value))} min`
  return unit === 'stars' ? value.toFixed(2) : formatInteger(value)
}

/** The definition of a figure; undefined for an unknown name, because a URL can contain anything. */
export const definitionOf = (name: string) =>
  isCounted(name) ? countedFigures[name] : isRatio(name) ? ratioFigures[name] : undefined
