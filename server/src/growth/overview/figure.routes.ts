import { exportFigureRows, type FigureName, listFigureRows } from '@limber/contract/growth/overview/figure.ts'
import { daysOf } from '@limber/contract/growth/values.ts'
import type { QueryOf } from '@limber/contract/kit/call.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { parseBox } from '#businesses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { streamCsv } from '#platform/http/csv.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import type { FiguresAsOf } from '../figures/current.ts'
import { ensureFigures } from '../figures/current.ts'
import { describeFigureRows, findFigureIds, findFigureRows, type Scope } from '../figures/figure-rows.queries.ts'
import { spanOf } from '../figures/span.rules.ts'
import { findZoneIds } from '../map/place.queries.ts'
import { figureCells, figureColumns, figureFile, presentFigureRow, presentValue } from './figure.present.ts'

type Call = typeof listFigureRows | typeof exportFigureRows
type FigureRequest = QueryOf<typeof exportFigureRows> & { figure: FigureName }

async function scopeOf(
  call: Call,
  db: Db,
  { figure, range, zoneId, city, bbox, category }: FigureRequest,
  { day }: FiguresAsOf,
): Promise<Scope> {
  if ([zoneId, city, bbox].filter((place) => place !== undefined).length > 1) throw refuse(call, 'one_place')
  if (category && figure !== 'payouts') throw refuse(call, 'only_pay')
  const box = bbox === undefined ? undefined : parseBox(bbox)
  if (bbox !== undefined && !box) throw refuse(call, 'bad_box')
  const zoneIds = zoneId !== undefined ? [zoneId] : box ? await findZoneIds(db, box) : undefined
  return { today: day, days: daysOf(range), zoneIds, city, category }
}

export const figureRoutes = [
  serve(listFigureRows, async ({ params: { figure }, query: { page, limit, ...asked }, db, services }) => {
    const asOf = await ensureFigures(services)
    const scope = await scopeOf(listFigureRows, db, { ...asked, figure }, asOf)
    const { total, value, rows } = await findFigureRows(db, figure, scope, { limit, offset: (page - 1) * limit })
    return {
      value: presentValue(figure, value),
      rows: rows.map(presentFigureRow),
      pagination: paginate(page, limit, total),
      span: spanOf(asked.range, asOf),
    }
  }),

  serve(exportFigureRows, async ({ params: { figure }, query, db, services, reply }) => {
    const asOf = await ensureFigures(services)
    const scope = await scopeOf(exportFigureRows, db, { ...query, figure }, asOf)
    const all = await findFigureIds(db, figure, scope)
    let done = 0
    return streamCsv(reply, {
      file: figureFile(figure, spanOf(query.range, asOf)),
      columns: figureColumns,
      cells: figureCells,
      next: async (_after, limit) => {
        const some = all.slice(done, done + limit)
        done += some.length
        return some.length === 0 ? [] : describeFigureRows(db, figure, scope, some)
      },
    })
  }),
]
