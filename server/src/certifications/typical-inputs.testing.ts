import { sql } from 'kysely'
import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export const certificationsInputs = ({ first, byId, to, fresh }: InputTools): Inputs => ({
  'GET /certifications/types/:id': byId('certifications', 'type_id'),
  'GET /api/certifications/holders': async () => ({ query: { search: 'a' } }),
  'GET /api/verify/:shortId': async () => ({
    params: { shortId: (await first<{ id: string }>(sql`select short_id as id from certifications order by id`)).id },
  }),
  'POST /certifications/types': async () => ({ body: { certificationName: fresh('Level ') } }),
  'PUT /certifications/types/:id': async () => ({
    params: { id: String((await first(sql`select id from certification_types order by id desc`)).id) },
    body: { certificationName: fresh('Level ') },
  }),
  'DELETE /certifications/types/:id': to(
    sql`select id from certification_types t where not exists (select from certifications c where c.type_id = t.id) order by id desc`,
  ),
  'POST /certifications': async () => ({
    body: {
      userId: (await first<{ id: number }>(sql`select customer_id as id from stretchers order by id desc`)).id,
      certificationTypeId: (await first(sql`select id from certification_types order by id`)).id,
      name: 'Robin Vale',
      instructor: 'Ines',
      dateIssued: '2026-11-10',
    },
  }),
  'PUT /certifications/:id': async () => {
    const row = await first<{ id: number; user: number; type: number }>(
      sql`select id, customer_id as user, type_id as type from certifications where revoked_at is null order by id desc`,
    )
    return {
      params: { id: String(row.id) },
      body: {
        userId: row.user,
        certificationTypeId: row.type,
        name: 'Robin Vale',
        instructor: fresh('Ines '),
        dateIssued: '2026-11-10',
      },
    }
  },
  'POST /certifications/:id/revoke': to(
    sql`select id from certifications where revoked_at is null and customer_id not in (
        select customer_id from onsite_sessions o join stretchers s on s.id = o.stretcher_id) order by id`,
    { reason: 'left' },
  ),
  'DELETE /certifications/:id': to(sql`select id from certifications where first_opened_at is null order by id desc`),
})
