import type { Stretcher, StretcherDetail } from '@limber/contract/stretchers/stretcher.ts'
import type { RequiredCertification } from '#certifications/public.ts'
import type { HeldCertification, StretcherRecord, UpcomingSession } from './stretcher-list.queries.ts'
import type { RequiredCourse, TrainingProgress } from './training-service.ts'

export const presentStretcher = (row: StretcherRecord, training: TrainingProgress | undefined): Stretcher => ({
  id: row.id,
  userId: row.customer_id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  zone: row.zone_id === null ? null : { id: row.zone_id, name: row.zone_name ?? '' },
  status: row.status,
  readiness: row.readiness,
  hiredAt: row.hired_at.toISOString(),
  training: training ?? { required: 0, completed: 0 },
  certifications: {
    valid: row.certs_valid,
    expiring: row.certs_expiring,
    expired: row.certs_expired,
    revoked: row.certs_revoked,
  },
  upcoming: { bookings: row.bookings, onsite: row.onsite, nextAt: row.next_at?.toISOString() ?? null },
  version: row.version,
})

interface DetailParts {
  courses: readonly RequiredCourse[]
  required: readonly RequiredCertification[]
  /** The day until which a certification counts as expiring. */
  soon: string
  certifications: readonly HeldCertification[]
  sessions: readonly UpcomingSession[]
}

function stateOf({ is_valid, last_day }: RequiredCertification, soon: string) {
  if (is_valid) return last_day !== null && last_day <= soon ? 'expiring' : 'valid'
  return last_day === null ? 'missing' : 'expired'
}

export const presentDetail = (
  row: StretcherRecord,
  { courses, required, soon, certifications, sessions }: DetailParts,
): StretcherDetail => ({
  ...presentStretcher(row, {
    required: courses.length,
    completed: courses.filter(({ completed_at }) => completed_at).length,
  }),
  dateOfBirth: row.date_of_birth,
  trainedAt: row.trained_at?.toISOString() ?? null,
  deactivated: row.deactivated_at && {
    at: row.deactivated_at.toISOString(),
    reason: row.deactivated_reason,
    by: row.deactivated_by,
  },
  certificationList: certifications.map((held) => ({
    id: held.id,
    shortId: held.short_id,
    certificationName: held.type_name,
    dateIssued: held.issued_on,
    validUntil: held.valid_until,
    status: held.is_revoked ? 'revoked' : held.is_valid ? 'valid' : 'expired',
  })),
  requirements: {
    courses: courses.map(({ course_key, title, completed_at }) => ({
      id: course_key,
      courseName: title,
      completedAt: completed_at?.toISOString() ?? null,
    })),
    certifications: required.map((each) => ({
      id: each.type_id,
      certificationName: each.name,
      state: stateOf(each, soon),
      validUntil: each.last_day,
      courses: each.courses,
    })),
  },
  sessions: sessions.map((session) => ({
    kind: session.kind,
    id: session.id,
    startsAt: session.starts_at.toISOString(),
    endsAt: session.ends_at.toISOString(),
    place: session.place,
    businessId: session.business_id,
    lacks: session.lacks,
  })),
})
