import type { CertificationStatus } from '@limber/contract/certifications/certification.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Readiness, Stretcher } from '@limber/contract/stretchers/stretcher.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const readinessLabels: Record<Readiness, string> = {
  ready: 'Active',
  in_training: 'In training',
  not_certified: 'Not certified',
  inactive: 'Inactive',
}

export const readinessMeaning: Record<Readiness, Meaning> = {
  ready: 'green',
  in_training: 'blue',
  not_certified: 'amber',
  inactive: 'plain',
}

export const certificationLabels: Record<CertificationStatus, string> = {
  valid: 'Valid',
  expired: 'Expired',
  revoked: 'Revoked',
}

export const certificationMeaning: Record<CertificationStatus, Meaning> = {
  valid: 'green',
  expired: 'amber',
  revoked: 'red',
}

export const nameOf = ({ firstName, lastName }: Pick<Stretcher, 'firstName' | 'lastName'>) => `${firstName} ${lastName}`

export const bookingsText = (count: number) => pluralize(count, 'booking', 'bookings')
export const onsiteText = (count: number) => pluralize(count, 'on-site session', 'on-site sessions')

export function upcomingText({ bookings, onsite }: Stretcher['upcoming']): string {
  const parts = [bookings > 0 && bookingsText(bookings), onsite > 0 && onsiteText(onsite)].filter(Boolean)
  return parts.join(', ') || 'None'
}

/** Shortened for a narrow column. */
export const upcomingShort = (upcoming: Stretcher['upcoming']) =>
  upcomingText(upcoming).replace(/ on-site sessions?$/, ' on-site')

/** Expiring or expired certifications that need attention. */
export function certificationsNote({ valid, expiring, expired }: Stretcher['certifications']): string | undefined {
  if (expiring > 0) return pluralize(expiring, 'expires soon', 'expire soon')
  return valid === 0 && expired > 0 ? `${expired} expired` : undefined
}

export const trainingText = ({ required, completed }: Stretcher['training']) =>
  required === 0 ? '--' : `${completed} of ${required}`
