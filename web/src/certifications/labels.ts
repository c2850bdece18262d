import type { Certification, CertificationStatus } from '@limber/contract/certifications/certification.ts'
import type { Question } from '#ui/dialog/confirm.ts'
import type { Meaning } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'

export const statusLabels: Record<CertificationStatus, string> = {
  valid: 'Valid',
  expired: 'Expired',
  revoked: 'Revoked',
}

export const statusMeaning: Record<CertificationStatus, Meaning> = { valid: 'green', expired: 'amber', revoked: 'red' }

/** A short id in groups of four, which are easier to read. */
export const groupShortId = (shortId: string) => shortId.replaceAll(/(.{4})(?=.)/g, '$1-')

export const deleteQuestion = ({ openedAt }: Certification): Question => ({
  title: 'Are you sure you want to delete this certification?',
  body: openedAt
    ? 'Its link was opened, so it is revoked instead. Its public page will show that it is no longer valid.'
    : 'No one has opened its link. This cannot be undone.',
  action: 'Delete',
  isDestructive: true,
})

export const expirationText = (day: string | null | undefined) => dayText(day, 'No expiration')
