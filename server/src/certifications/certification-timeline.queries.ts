import { companyZone } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { sql } from 'kysely'
import { type TimelineSource, timelineSource } from '#platform/timeline.ts'

const shared = { group: 'training', title: 'Certifications', needs: [['businesses.manage']] } as const

/** Certifications of a customer. */
export const certificationSources: readonly TimelineSource[] = [
  timelineSource<{ id: number; type: string; instructor: string; until: string | null }>({
    ...{ ...shared, kind: 'certification' },
    rows: (
      customer,
    ) => sql`select c.issued_on::timestamp at time zone ${sql.lit(companyZone())} as at, c.id, 'certification issued ' || t.name as words,
        jsonb_build_object('id', c.id, 'type', t.name, 'instructor', c.instructor, 'until', c.valid_until) as data
      from certifications c join certification_types t on t.id = c.type_id where c.customer_id = ${customer}`,
    present: ({ id, type, instructor, until }) => ({
      title: 'Certification issued:',
      text: `${type}${until ? `, valid until ${formatDay(until)}` : ''}`,
      quote: `Instructor: ${instructor}`,
      tone: 'teal',
      link: { to: 'certification', id },
    }),
  }),
  timelineSource<{ id: number; type: string; by: string | null; reason: string | null }>({
    ...{ ...shared, kind: 'certification_revoked' },
    rows: (
      customer,
    ) => sql`select c.revoked_at as at, c.id, 'certification revoked ' || t.name || ' ' || coalesce(c.revoke_reason, '') as words,
        jsonb_build_object('id', c.id, 'type', t.name, 'reason', c.revoke_reason,
          'by', (select w.name from workers w where w.id = c.revoked_by)) as data
      from certifications c join certification_types t on t.id = c.type_id
      where c.customer_id = ${customer} and c.revoked_at is not null`,
    present: ({ id, type, by, reason }) => ({
      title: 'Certification revoked:',
      text: `${type}${by ? `, by ${by}` : ''}`,
      quote: reason,
      tone: 'red',
      link: { to: 'certification', id },
    }),
  }),
]
