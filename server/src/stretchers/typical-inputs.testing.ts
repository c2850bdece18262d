import { sql } from 'kysely'
import { type Inputs, type InputTools, lone } from '#platform/testing/testing.inputs.ts'

export const stretchersInputs = ({ first, byId, to, withBody, fresh }: InputTools): Inputs => ({
  'GET /api/stretchers/:id': byId('onsite_sessions', 'stretcher_id'),
  'POST /api/stretchers/by-zone': withBody('zone_id', 'stretchers', 'zone_id'),
  'POST /api/stretchers/onboard-stretcher': async () => ({
    body: {
      firstName: 'Noor',
      lastName: fresh('Vale '),
      email: `${fresh('noor')}@example.com`,
      dateOfBirth: '1990-02-03',
    },
  }),
  'POST /api/stretchers/promote-to-stretcher': async () => ({
    body: {
      email: (
        await first<{ email: string }>(
          sql`select email from customers where id = (${lone} and c.email_verified_at is not null order by id desc limit 1)`,
        )
      ).email,
    },
  }),
  'PATCH /api/stretchers/:id': async () => {
    const { id, zone } = await first<{ id: number; zone: number }>(
      sql`select id, zone_id as zone from stretchers where status = 'active' order by id`,
    )
    return {
      params: { id: String(id) },
      body: { firstName: fresh('Noor '), lastName: 'Vale', dateOfBirth: '1990-02-03', zoneId: zone },
    }
  },
  'POST /api/stretchers/:id/deactivate': async () => {
    const { id, bookings } = await first<{ id: number; bookings: number }>(sql`
        select s.id, (select count(*) from bookings b where b.stretcher_id = s.id and b.starts_at > '2026-11-16T17:00:00Z'
          and b.status in ('requested', 'confirmed')) as bookings
        from stretchers s where status = 'active' and not exists (
          select from onsite_sessions o where o.stretcher_id = s.id and o.cancelled_at is null and o.ends_at > '2026-11-16') order by id desc`)
    return { params: { id: String(id) }, body: { reason: 'moved', bookings } }
  },
  'POST /api/stretchers/:id/activate': to(sql`select id from stretchers where status = 'inactive' order by id desc`, {
    reason: 'back',
  }),
  'POST /api/stretchers/:id/finish-training': to(
    sql`select id from stretchers where status = 'in_training' order by id desc`,
    { reason: 'passed' },
  ),
})
