import { countedFigures, type FigureName } from '@limber/contract/growth/overview/figure.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import type { FigureDefinition, FigureRow } from '@limber/contract/kit/figure.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import type { FigureRecord } from '../figures/figure-rows.queries.ts'

export const presentFigureRow = ({ id, name, detail, place, day, amount, user_id }: FigureRecord): FigureRow => ({
  id,
  name,
  detail,
  place,
  day,
  amount: amount === null ? null : writeDollars(parseMoney(amount)),
  userId: user_id,
})

/** Money in dollars; counts and averages as plain numbers. */
export function presentValue(figure: FigureName, value: string | null): number | null {
  if (value === null) return null
  const { unit }: FigureDefinition = countedFigures[figure]
  return unit === 'dollars' ? writeDollars(parseMoney(value)) : Number(value)
}
