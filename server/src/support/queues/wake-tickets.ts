import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { endDueSnoozes } from './snooze.queries.ts'

const BATCH_SIZE = 200

/** Returns tickets to their queues when the time of their snooze has come. */
export async function wakeTickets(services: Services) {
  let woken = 0
  for (let isMore = true; isMore; ) {
    const count = await runWork(services, { call: 'schedule wake-tickets' }, async ({ db, now, publish }) => {
      const ids = await endDueSnoozes(db, BATCH_SIZE, now)
      for (const id of ids) publish('tickets', { ticket: id })
      return ids.length
    })
    woken += count
    isMore = count === BATCH_SIZE
  }
  return { woken }
}
