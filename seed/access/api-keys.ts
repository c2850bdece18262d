import { apiScopes } from '@limber/contract/access/api-keys/scopes.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { makeApiKey } from '@limber/server/access/api-keys/api-key.factory.ts'
import { MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { SeedContext } from '../seeder.ts'

const DAYS = 30
const SUNDAY = 0
const SATURDAY = 6

/** A key of the customer app, in use all day, and one of a data warehouse that expires soon. No one has their secrets. */
export async function seedApiKeys({ db, copy, calendar, random }: SeedContext) {
  const stream = random('access/api-keys')
  const { id: createdBy } = await db
    .selectFrom('workers')
    .select('id')
    .where('role', '=', 'Tech')
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  const app = await makeApiKey(db, {
    name: 'Customer app',
    source: 'app',
    scopes: apiScopes.filter((scope) => /^(customers|bookings|transactions|credits):|^events:write$/.test(scope)),
    networks: ['203.0.113.0/24'],
    createdBy,
    createdAt: calendar.at(-204, 10 * 60),
  })
  const warehouse = await makeApiKey(db, {
    name: 'Data warehouse',
    source: 'warehouse',
    scopes: apiScopes.filter((scope) => scope.endsWith(':read')),
    expiresAt: calendar.at(13, 0),
    createdBy,
    createdAt: calendar.at(-352, 15 * 60),
  })
  const used = (id: number, at: Date, address: string) =>
    db.updateTable('api_keys').set({ last_used_at: at, last_used_address: address }).where('id', '=', id).execute()
  await used(app.id, shift(calendar.now, -2 * MINUTE), '203.0.113.24')
  await used(warehouse.id, calendar.at(-1, 5 * 60 + 2), '198.51.100.7')
  const days = Array.from({ length: DAYS }, (_, back) => {
    const day = companyDay(calendar.at(-back, 12 * 60))
    const isWeekend = [SUNDAY, SATURDAY].includes(calendar.weekday(-back))
    const calls = Math.round((isWeekend ? 19_000 : 34_000) * stream.between(0.85, 1.2) * (back === 0 ? 0.4 : 1))
    const isBadDay = back === 5
    const reads = stream.integer(180, 260)
    return [
      { api_key_id: app.id, day, calls, errors: isBadDay ? 2_412 : stream.integer(0, 12) },
      { api_key_id: warehouse.id, day, calls: back === 0 ? 0 : reads, errors: stream.chance(0.2) && back > 0 ? 9 : 0 },
    ]
  }).flat()
  await copy(
    'api_key_usage',
    days.filter(({ calls }) => calls > 0),
  )
}
