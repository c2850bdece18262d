import {
  countedFigures,
  type FigureName,
  type FigureWords,
  type RatioName,
  ratioFigures,
} from '@limber/contract/growth/figure.ts'
import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import { z } from 'zod'
import { dollars, whole } from './words.ts'

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

/** A figure as the cards write it; '--' for a mean of nothing. */
export function valueText(name: FigureName, value: number | null): string {
  const { unit }: FigureWords = countedFigures[name]
  if (value === null) return '--'
  return unit === 'dollars' ? dollars(value) : unit === 'stars' ? value.toFixed(2) : whole(value)
}

/** The words of a figure; nothing for what is none, as an address may say anything. */
export const wordsOfFigure = (name: string) =>
  isCounted(name) ? countedFigures[name] : isRatio(name) ? ratioFigures[name] : undefined
