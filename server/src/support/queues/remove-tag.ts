import { type OutboxMessage, runWork } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Services } from '#platform/services.ts'
import { clearTag } from './tag.queries.ts'

const QUEUE = 'remove-ticket-tag'
const BATCH_SIZE = 200

export const removeTagMessage = (id: number): OutboxMessage => ({
  channel: 'job',
  key: `ticket-tag:${id}:remove`,
  about: `ticket tag ${id}`,
  payload: { name: QUEUE, data: { tag: id } },
})

/** Takes a removed tag off its tickets in short transactions, so that nobody waits for all of them. */
export async function removeTagFromTickets(services: Services, id: number): Promise<void> {
  for (let isDone = false; !isDone; )
    isDone = await runWork(services, { call: `job ${QUEUE}` }, async ({ db, publish }) => {
      const cleared = await clearTag(db, id, BATCH_SIZE)
      if (cleared.ids.length > 0) publish('tickets')
      return cleared.isDone
    })
}

export const removeTagJob: Job = {
  name: QUEUE,
  run: (services, { tag }) => removeTagFromTickets(services, Number(tag)),
}
