import {
  countedFigures,
  type FigureName,
  type FigureWords,
  type RatioName,
  ratioFigures,
} from '@limber/contract/growth/overview/figure.ts'
import { ratioOf } from '@limber/contract/growth/overview/ratio.ts'
import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { z } from 'zod'
import { dollars, percent } from '../words.ts'

const cents = (value: number) => dollars(Math.round(value * 100) / 100)

/** The open figure and the page of its rows, in an address. */
export const figureSearch = {
  figure: z.string().max(40).catch(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
}

export type AnyFigure = FigureName | RatioName

export const isCounted = (name: string): name is FigureName => name in countedFigures
const isRatio = (name: string): name is RatioName => name in ratioFigures

/** Where a figure is counted; in the whole company unless told. */
export interface FigureScope {
  zoneId?: string
  city?: string
  bbox?: string
  category?: PayoutCategory
}

/** The numbers that a ratio is made of. */
export const partsOf = (name: string): readonly FigureName[] => (isRatio(name) ? ratioFigures[name].parts : [])

type Part = number | null

/** A ratio as the cards write it. */
const ratioTexts: Record<RatioName, (value: number) => string> = {
  growthPct: percent,
  churnRatePct: percent,
  bookingGrowthPct: percent,
  activePct: percent,
  perSession: cents,
  perStretcher: (value) => value.toFixed(1),
  avgRating: (value) => value.toFixed(2),
}

/** A ratio from its parts; '--' where there is nothing to divide by, and nothing until all parts are known. */
export function ratioText(name: string, parts: readonly (Part | undefined)[]): string | undefined {
  if (!isRatio(name) || parts.includes(undefined)) return undefined
  const make: (...parts: number[]) => number | null = ratioOf[name]
  const value = parts.includes(null) ? null : make(...(parts as number[]))
  return value === null ? '--' : ratioTexts[name](value)
}

/** A figure as the cards write it; '--' for a mean of nothing. */
export function valueText(name: FigureName, value: number | null): string {
  const { unit }: FigureWords = countedFigures[name]
  if (value === null) return '--'
  return unit === 'dollars' ? dollars(value) : unit === 'stars' ? value.toFixed(2) : formatInteger(value)
}

/** The words of a figure; nothing for what is none, as an address may say anything. */
export const wordsOfFigure = (name: string) =>
  isCounted(name) ? countedFigures[name] : isRatio(name) ? ratioFigures[name] : undefined
