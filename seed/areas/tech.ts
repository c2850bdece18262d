import type { Seeder } from '../seeder.ts'
import { seedDeliveries } from '../tech/deliveries.ts'
import { seedFailures } from '../tech/failures.ts'
import { seedHealth } from '../tech/health.ts'
import { seedInbound } from '../tech/inbound.ts'

/** Errors, deliveries, inbound events and health samples. The same at every scale. */
export const tech: Seeder = {
  name: 'Tech',
  async seed(context) {
    await seedFailures(context)
    await seedDeliveries(context)
    await seedInbound(context)
    await seedHealth(context)
  },
}
