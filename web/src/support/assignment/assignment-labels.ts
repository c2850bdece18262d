import { companyDay } from '@limber/contract/kit/company.ts'
import type { Absence, Assignment, RoundRobin } from '@limber/contract/support/assignment/assignment.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const queueName = ({ view }: Pick<RoundRobin, 'view'>) => view?.name ?? 'Unassigned'

/** Whether a worker can get new tickets now, and why not. */
export function presenceOf({ isAway, takesNew, isPresent }: Assignment['workers'][number]): {
  label: string
  meaning: Meaning
} {
  if (isAway) return { label: 'Out of office', meaning: 'plain' }
  if (!takesNew) return { label: 'Paused', meaning: 'amber' }
  return isPresent ? { label: 'Here', meaning: 'green' } : { label: 'Not signed in', meaning: 'plain' }
}

/** What happens to the tickets of an absence. */
export function absenceText({ substitute, handsOver, startsOn }: Absence, now: Date): string {
  const who = substitute ? `${substitute.name} takes over` : 'Back to the queue'
  if (!handsOver) return `${who} when a customer replies`
  return companyDay(now) < startsOn ? `${who}, open tickets on the first day` : `${who}, open tickets were handed over`
}
