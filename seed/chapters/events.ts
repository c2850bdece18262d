import type { Chapter } from '../chapter.ts'
import { loadUsage } from '../usage/load-usage.ts'

/** Two months of what customers and staff did, enough for a month and the one before it; the same at every scale. */
export const events: Chapter = {
  name: 'Usage events',
  tell: (story) => loadUsage(story, { perDay: 2400, days: 61, stream: 'usage', withRecords: true }),
}
