import type { listUsageFigure, UsageFigure } from '@limber/contract/analytics/dashboard/usage-figure.ts'
import type { QueryOf } from '@limber/contract/kit/call.ts'
import type { FigureRow } from '@limber/contract/kit/figure.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import type { Db } from '#platform/db/db.ts'
import type { EventNames } from '../events/event-names.queries.ts'
import { unpackUsers } from '../rollups/packing.rules.ts'
import { type ActionSum, readActionSums, readPeople, readUserSets } from './dashboard.queries.ts'
import type { Span } from './window.rules.ts'

type Worth = (sum: ActionSum) => number

const worths: Record<Exclude<UsageFigure, 'uniqueUsers'>, Worth> = {
  totalEvents: ({ events }) => events,
  failedEvents: ({ errors }) => errors,
  responseTime: ({ time_sum }) => time_sum / 100,
}

const row = (part: Pick<FigureRow, 'id' | 'name' | 'detail' | 'amount' | 'userId'>): FigureRow => ({
  ...part,
  place: null,
  day: null,
})

interface Asked {
  figure: UsageFigure
  span: Span
  action: number
  page: Pick<QueryOf<typeof listUsageFigure>, 'page' | 'limit'>
}

/** The rows behind a usage figure, from the same rollups as the figure. */
export async function findUsageFigure(db: Db, names: EventNames, { figure, span, action, page }: Asked) {
  const from = (page.page - 1) * page.limit
  if (figure === 'uniqueUsers') {
    const nums = new Set<number>()
    for (const set of await readUserSets(db, span, action)) unpackUsers(set, nums)
    const some = [...nums].sort((a, b) => a - b).slice(from, from + page.limit)
    return {
      value: nums.size,
      rows: (await readPeople(db, some)).map(({ num, ref, name }) =>
        row({
          // Numbers of people start at 0.
          id: num + 1,
          name: name ?? `Erased ${ref > 0 ? 'customer' : 'worker'}`,
          detail: ref > 0 ? 'Customer' : 'Worker',
          amount: null,
          userId: ref > 0 ? ref : null,
        }),
      ),
      pagination: paginate(page.page, page.limit, nums.size),
    }
  }
  const worth = worths[figure]
  const sums = (await readActionSums(db, span, action)).filter((sum) => worth(sum) > 0)
  if (!sums.every(({ action_id }) => names.has('action', action_id))) await names.refresh(db)
  sums.sort((a, b) => worth(b) - worth(a) || a.action_id - b.action_id)
  return {
    value: sums.reduce((total, sum) => total + Math.round(worth(sum) * 100), 0) / 100,
    rows: sums.slice(from, from + page.limit).map((sum) =>
      row({
        id: sum.action_id,
        name: names.nameOf('action', sum.action_id) ?? String(sum.action_id),
        detail: figure === 'totalEvents' ? null : pluralize(sum.events, 'event'),
        amount: worth(sum),
        userId: null,
      }),
    ),
    pagination: paginate(page.page, page.limit, sums.length),
  }
}
