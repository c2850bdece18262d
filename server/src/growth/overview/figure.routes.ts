import { countedFigures, type FigureName, listFigureRows } from '@limber/contract/growth/overview/figure.ts'
import { daysOf } from '@limber/contract/growth/values.ts'
import type { QueryOf } from '@limber/contract/kit/call.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { parseBox } from '#businesses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import type { FiguresAsOf } from '../figures/current.ts'
import { ensureFigures } from '../figures/current.ts'
import { findFigureRows } from '../figures/figure-rows.queries.ts'
import type { Scope } from '../figures/figure-source.queries.ts'
import { spanOf } from '../figures/span.rules.ts'
import { findZoneIds } from '../map/place.queries.ts'
import { presentFigureRow, presentValue } from './figure.present.ts'

type FigureRequest = Omit<QueryOf<typeof listFigureRows>, 'page' | 'limit' | 'search'> & { figure: FigureName }

/** Which rows the list shows. */
export async function scopeOf(
  call: typeof listFigureRows,
  db: Db,
  { figure, range, period, zoneId, city, bbox, category, workerId, campaignId }: FigureRequest,
  { day }: FiguresAsOf,
): Promise<Scope> {
  if ([zoneId, city, bbox].filter((place) => place !== undefined).length > 1) throw refuse(call, 'one_place')
  if (category && figure !== 'payouts') throw refuse(call, 'only_pay')
  const definition = countedFigures[figure]
  const by = 'by' in definition ? definition.by : undefined
  if ((workerId !== undefined && by !== 'worker') || (campaignId !== undefined && by !== 'campaign'))
    throw refuse(call, 'not_by')
  const box = bbox === undefined ? undefined : parseBox(bbox)
  if (bbox !== undefined && !box) throw refuse(call, 'bad_box')
  const zoneIds = zoneId !== undefined ? [zoneId] : box ? await findZoneIds(db, box) : undefined
  const days = daysOf(range)
  const today = period === 'previous' ? addDays(day, -days) : day
  return { today, days, zoneIds, city, category, workerId, campaignId }
}

export const figureRoutes = [
  serve(
    listFigureRows,
    async ({ params: { figure }, query: { page, limit, search, ...asked }, db, services }) => {
      const asOf = await ensureFigures(services)
      const scope = await scopeOf(listFigureRows, db, { ...asked, figure }, asOf)
      const { total, value, rows } = await findFigureRows(db, figure, scope, {
        limit,
        offset: (page - 1) * limit,
        search,
      })
      return {
        value: presentValue(figure, value),
        rows: rows.map(presentFigureRow),
        pagination: paginate(page, limit, total),
        span: spanOf(asked.range, asOf),
      }
    },
    { mayLag: true },
  ),
]
