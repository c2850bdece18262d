import type { Chapter } from '../chapter.ts'
import { tellDeliveries } from '../tech/deliveries.ts'
import { tellFailures } from '../tech/failures.ts'
import { tellHealth } from '../tech/health.ts'
import { tellInbound } from '../tech/inbound.ts'

/** What failed, what went out and came in, and how the system was: the same at every scale. */
export const tech: Chapter = {
  name: 'Tech',
  async tell(story) {
    await tellFailures(story)
    await tellDeliveries(story)
    await tellInbound(story)
    await tellHealth(story)
  },
}
