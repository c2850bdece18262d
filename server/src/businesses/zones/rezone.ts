import type { Box } from '@limber/contract/businesses/zones/area.ts'
import { type OutboxMessage, runWork } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Services } from '#platform/services.ts'
import { findCustomersNear, moveCustomers } from '#support/public.ts'
import { findZonesNear } from './zone.queries.ts'
import { findZone } from './zone.rules.ts'

const QUEUE = 'rezone-customers'
const BATCH_SIZE = 2000
const MAX_ZONES = 1000

/** A message that moves customers near the old and new area into the right zone. */
export const rezoneMessage = (zoneId: number, now: Date, boxes: readonly Box[]): OutboxMessage => ({
  channel: 'job',
  key: `rezone:${zoneId}:${now.getTime()}`,
  about: `customers near zone ${zoneId}`,
  payload: { name: QUEUE, data: { box: boxes.reduce(unionOf) } },
})

const unionOf = (a: Box, b: Box): Box => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
})

/** Reassigns the zone of every customer in a bounding box, in batches; returns how many moved. Idempotent. */
export async function rezoneCustomers(services: Services, box: Box): Promise<{ moved: number }> {
  let moved = 0
  for (let after = 0; ; ) {
    const last = await runWork(services, { call: `job ${QUEUE}` }, async ({ db, publish }) => {
      const customers = await findCustomersNear(db, box, after, BATCH_SIZE)
      const zones = await findZonesNear(db, box, MAX_ZONES)
      const changes = customers.flatMap((customer) => {
        const zoneId = findZone(customer, zones)?.id ?? null
        return zoneId === customer.zone_id ? [] : [{ id: customer.id, zoneId }]
      })
      if (changes.length > 0) {
        moved += await moveCustomers(db, changes)
        publish('businesses')
      }
      return customers.at(-1)?.id
    })
    if (last === undefined) return { moved }
    after = last
  }
}

export const rezoneJob: Job = {
  name: QUEUE,
  run: (services, data) => rezoneCustomers(services, data.box as Box),
}
