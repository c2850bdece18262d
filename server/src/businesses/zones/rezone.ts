import type { Box } from '@limber/contract/businesses/zones/area.ts'
import { type OutboxMessage, runWork } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Services } from '#platform/services.ts'
import { findCustomersNear, moveCustomers } from '#support/public.ts'
import { findZonesNear } from './zone.queries.ts'
import { findZone } from './zone.rules.ts'

const QUEUE = 'rezone-customers'
const PORTION = 2000
const MAX_ZONES = 1000

/** Asks for the customers near a zone's old and new area to be put into the zone that holds them now. */
export const rezoneMessage = (zoneId: number, now: Date, boxes: readonly Box[]): OutboxMessage => ({
  channel: 'job',
  key: `rezone:${zoneId}:${now.getTime()}`,
  about: `customers near zone ${zoneId}`,
  payload: { name: QUEUE, data: { box: boxes.reduce(around) } },
})

const around = (a: Box, b: Box): Box => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
})

/** Looks at every customer in a box again, a portion at a time; says how many moved. May run twice without harm. */
export async function rezoneCustomers(services: Services, box: Box): Promise<{ moved: number }> {
  let moved = 0
  for (let after = 0; ; ) {
    const last = await runWork(services, { call: `job ${QUEUE}` }, async ({ db, publish }) => {
      const customers = await findCustomersNear(db, box, after, PORTION)
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
