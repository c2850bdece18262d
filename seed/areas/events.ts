import type { Seeder } from '../seeder.ts'
import { loadUsage } from '../usage/load-usage.ts'

/** Two months of usage events, enough to compare a month with the one before. The same at every scale. */
export const events: Seeder = {
  name: 'Usage events',
  seed: (context) =>
    loadUsage(context, { perDay: 0.8 * context.partSize, days: 61, stream: 'usage', withRecords: true }),
}
