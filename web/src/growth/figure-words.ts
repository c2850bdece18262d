import { countedFigures, type FigureName, type RatioName, ratioFigures } from '@limber/contract/growth/figure.ts'

export type AnyFigure = FigureName | RatioName

export const isCounted = (name: string): name is FigureName => name in countedFigures
const isRatio = (name: string): name is RatioName => name in ratioFigures

/** The words of a figure; nothing for what is none, as an address may say anything. */
export const wordsOfFigure = (name: string) =>
  isCounted(name) ? countedFigures[name] : isRatio(name) ? ratioFigures[name] : undefined
