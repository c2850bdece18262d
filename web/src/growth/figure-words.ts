import {
  countedFigures,
  type FigureName,
  type FigureWords,
  type RatioName,
  ratioFigures,
} from '@limber/contract/growth/figure.ts'
import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import { z } from 'zod'
import { dollars, percent, whole } from './words.ts'

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

/** How a ratio is made of its parts, which are never missing here; and how the cards write it. */
const ratios: Record<RatioName, { of: (...parts: number[]) => number; text: (value: number) => string }> = {
  growthPct: { of: (joined = 0, before = 0) => (joined / before) * 100, text: percent },
  churnRatePct: { of: (churned = 0, before = 0) => (churned / before) * 100, text: percent },
  bookingGrowthPct: { of: (now = 0, before = 0) => ((now - before) / before) * 100, text: percent },
  activePct: { of: (active = 0, users = 0) => (active / users) * 100, text: percent },
  perSession: { of: (money = 0, ...parts) => money / parts.reduce((sum, part) => sum + part, 0), text: cents },
  perStretcher: { of: (sessions = 0, stretchers = 0) => sessions / stretchers, text: (value) => value.toFixed(1) },
  avgRating: { of: (mean = 0) => mean, text: (value) => value.toFixed(2) },
}

/** A ratio from its parts; '--' where there is nothing to divide by, and nothing until all parts are known. */
export function ratioText(name: string, parts: readonly (Part | undefined)[]): string | undefined {
  if (!isRatio(name) || parts.includes(undefined)) return undefined
  const { of, text } = ratios[name]
  const value = parts.includes(null) ? Number.NaN : of(...(parts as number[]))
  return Number.isFinite(value) ? text(value) : '--'
}

/** A figure as the cards write it; '--' for a mean of nothing. */
export function valueText(name: FigureName, value: number | null): string {
  const { unit }: FigureWords = countedFigures[name]
  if (value === null) return '--'
  return unit === 'dollars' ? dollars(value) : unit === 'stars' ? value.toFixed(2) : whole(value)
}

/** The words of a figure; nothing for what is none, as an address may say anything. */
export const wordsOfFigure = (name: string) =>
  isCounted(name) ? countedFigures[name] : isRatio(name) ? ratioFigures[name] : undefined
