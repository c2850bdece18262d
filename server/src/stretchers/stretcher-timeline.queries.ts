import { sql } from 'kysely'
import { type TimelineSource, type TimelineWords, timelineSource } from '#platform/timeline.ts'

const step = (kind: string, column: string, words: TimelineWords) =>
  timelineSource<{ id: number }>({
    ...{ kind, group: 'training', title: 'Stretchers', needs: [['businesses.manage']] },
    rows: (
      customer,
    ) => sql`select s.${sql.ref(column)} as at, s.id, ${words.title} as words, jsonb_build_object('id', s.id) as data
      from stretchers s where s.customer_id = ${customer}`,
    present: ({ id }) => ({ ...words, link: { to: 'stretcher', id } }),
  })

/** The work of a customer who is a stretcher, too. */
export const stretcherSources: readonly TimelineSource[] = [
  step('hired', 'hired_at', { title: 'Hired as a stretcher', tone: 'teal' }),
  step('trained', 'trained_at', { title: 'Finished the training as a stretcher', tone: 'green' }),
  step('deactivated', 'deactivated_at', { title: 'Deactivated as a stretcher' }),
]
