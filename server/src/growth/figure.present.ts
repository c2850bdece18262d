import { countedFigures, type FigureName, type FigureRow } from '@limber/contract/growth/figure.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import type { FigureRecord } from './figure-rows.queries.ts'

export const presentFigureRow = ({ id, name, detail, place, day, amount, user_id }: FigureRecord): FigureRow => ({
  id,
  name,
  detail,
  place,
  day,
  amount: amount === null ? null : writeDollars(parseMoney(amount)),
  userId: user_id,
})

export const figureColumns = ['id', 'name', 'detail', 'place', 'day', 'amount'] as const
export const figureCells = ({ id, name, detail, place, day, amount }: FigureRecord) => [
  id,
  name,
  detail,
  place,
  day,
  amount,
]

/** The file says which figure and which days it holds. */
export const figureFile = (figure: FigureName, { from, to }: { from: string; to: string }) => {
  const words = countedFigures[figure].label.toLowerCase().replaceAll(' ', '-')
  return countedFigures[figure].of === 'range' ? `${words}-${from}-to-${to}.csv` : `${words}-${to}.csv`
}
