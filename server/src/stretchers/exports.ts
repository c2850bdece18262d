import { exportStretchers } from '@limber/contract/stretchers/stretcher.ts'
import { exporting, NO_COLUMN } from '#platform/exports/export.ts'

export const stretchersExports = [
  exporting(exportStretchers, {
    rows: ({ stretchers }) => stretchers,
    columns: {
      id: 'ID',
      userId: 'Customer ID',
      firstName: 'First name',
      lastName: 'Last name',
      email: 'Email',
      zone: [
        ['Zone ID', (zone) => zone?.id],
        ['Zone', (zone) => zone?.name],
      ],
      status: 'Status',
      readiness: 'Readiness',
      hiredAt: 'Hired',
      training: [
        ['Required courses', ({ required }) => required],
        ['Completed courses', ({ completed }) => completed],
      ],
      certifications: [
        ['Valid certifications', ({ valid }) => valid],
        ['Expiring certifications', ({ expiring }) => expiring],
        ['Expired certifications', ({ expired }) => expired],
        ['Revoked certifications', ({ revoked }) => revoked],
      ],
      upcoming: [
        ['Upcoming bookings', ({ bookings }) => bookings],
        ['Upcoming on-site sessions', ({ onsite }) => onsite],
        ['Next appointment', ({ nextAt }) => nextAt],
      ],
      version: NO_COLUMN,
    },
  }),
]
