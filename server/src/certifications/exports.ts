import { exportCertifications } from '@limber/contract/certifications/certification.ts'
import { exportCertificationTypes } from '@limber/contract/certifications/type.ts'
import { exporting, listed, NO_COLUMN } from '#platform/exports/export.ts'

export const certificationsExports = [
  exporting(exportCertifications, {
    rows: ({ certifications }) => certifications,
    columns: {
      id: 'ID',
      shortId: 'Verification ID',
      user_id: NO_COLUMN,
      userId: 'Holder ID',
      userName: 'Holder',
      userEmail: 'Email',
      certificationTypeId: 'Type ID',
      certificationName: 'Type',
      name: 'Name on certificate',
      instructor: 'Instructor',
      dateIssued: 'Issued on',
      validUntil: 'Valid until',
      status: 'Status',
      revoked: [
        ['Revoked', (revoked) => revoked?.at],
        ['Revoked by', (revoked) => revoked?.by],
        ['Reason', (revoked) => revoked?.reason],
      ],
      openedAt: 'First opened',
      issuedBy: 'Issued by',
      verificationUrl: 'Verification link',
      version: NO_COLUMN,
    },
  }),
  exporting(exportCertificationTypes, {
    rows: ({ types }) => types,
    columns: {
      id: 'ID',
      certificationName: 'Name',
      description: 'Description',
      validMonths: 'Valid months',
      isRequired: 'Required',
      isRetired: 'Retired',
      courses: [['Courses', (courses) => listed(courses.map(({ courseName }) => courseName))]],
      certifications: 'Certifications',
      valid: 'Valid certifications',
      version: NO_COLUMN,
    },
  }),
]
