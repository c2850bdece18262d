import type { Certification, Holder } from '@limber/contract/certifications/certification.ts'
import type { CertificationRecord, HolderRow } from './certification.queries.ts'
import { statusOf } from './certification.rules.ts'

export const verificationUrl = (publicUrl: string, shortId: string) => `${publicUrl}/verify/${shortId}`

export const presentCertification = (row: CertificationRecord, today: string, publicUrl: string): Certification => ({
  id: row.id,
  shortId: row.short_id,
  user_id: row.customer_id,
  userId: row.customer_id,
  userName: `${row.first_name} ${row.last_name}`,
  userEmail: row.email,
  certificationTypeId: row.type_id,
  certificationName: row.type_name,
  name: row.name,
  instructor: row.instructor,
  dateIssued: row.issued_on,
  validUntil: row.valid_until,
  status: statusOf(row, today),
  revoked: row.revoked_at
    ? { at: row.revoked_at.toISOString(), reason: row.revoke_reason ?? '', by: row.revoked_by }
    : null,
  openedAt: row.first_opened_at?.toISOString() ?? null,
  issuedBy: row.issued_by,
  verificationUrl: verificationUrl(publicUrl, row.short_id),
  version: row.version,
})

export const presentHolder = ({ id, first_name, last_name, email, is_stretcher }: HolderRow): Holder => ({
  id,
  name: `${first_name} ${last_name}`,
  email,
  isStretcher: is_stretcher,
})
