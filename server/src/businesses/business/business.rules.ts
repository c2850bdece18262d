import type { BusinessStatus } from '@limber/contract/businesses/business/business.ts'
import { formatList, pluralize } from '@limber/contract/kit/formats/numbers.ts'

/** Length of a pilot in days. */
export const PILOT_DAYS = 90

const shape = /^[a-z0-9]+(-[a-z0-9]+)*$/
const reserved = new Set(
  'admin api app assets auth businesses certifications contact dashboard dev docs files health healthz help home login logout onboarding onsite readyz recovery redirect static status support training verify www zones'.split(
    ' ',
  ),
)

/** Why a custom path is refused; undefined when it is valid. */
export function pathProblem(path: string): 'bad_path' | 'reserved_path' | undefined {
  if (path.length < 2 || path.length > 60 || !shape.test(path)) return 'bad_path'
  return reserved.has(path) ? 'reserved_path' : undefined
}

/** The status shown for a business. Active without a renewal date, or ended, is inactive. */
export function statusOf({ stage, renews_on }: { stage: string; renews_on: string | null }): BusinessStatus {
  if (stage === 'contacted' || stage === 'pending') return stage
  return stage === 'active' && renews_on !== null ? 'active' : 'inactive'
}

const irregular: Record<string, string> = { business: 'businesses' }

/** "3 blocks, 1 session, and 12 addresses"; leaves out zero counts. */
export function countInWords(counts: Record<string, number>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([one, count]) => pluralize(count, one, irregular[one]))
  return formatList(parts) || 'nothing'
}
