import { countedFigures, type FigureName, type RatioName, ratioFigures } from '@limber/contract/growth/figure.ts'
import { z } from 'zod'

/** The open figure and the page of its rows, in an address. */
export const figureSearch = {
  figure: z.string().max(40).catch(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
}

export type AnyFigure = FigureName | RatioName

export const isCounted = (name: string): name is FigureName => name in countedFigures
const isRatio = (name: string): name is RatioName => name in ratioFigures

/** The words of a figure; nothing for what is none, as an address may say anything. */
export const wordsOfFigure = (name: string) =>
  isCounted(name) ? countedFigures[name] : isRatio(name) ? ratioFigures[name] : undefined
