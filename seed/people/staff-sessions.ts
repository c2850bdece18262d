import { createHash } from 'node:crypto'
import { HOUR, MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { SeedContext } from '../seeder.ts'

const DAYS_BACK = 10
const IDLE = 30 * MINUTE
const SUNDAY = 0
const SATURDAY = 6

/** Sign-in sessions of the staff in recent days. All have ended, so none of them gives access. */
export async function seedStaffSessions({ db, copy, calendar, random }: SeedContext) {
  const stream = random('people/presence')
  const workers = await db.selectFrom('workers').select('id').where('status', '=', 'active').orderBy('id').execute()
  const sessions = workers.flatMap(({ id }) =>
    Array.from({ length: DAYS_BACK + 1 }, (_, back) => {
      const isDayOff = [SUNDAY, SATURDAY].includes(calendar.weekday(-back)) || stream.chance(0.15)
      const created_at = calendar.at(-back, stream.integer(8 * 60, 10 * 60))
      const endOfDay = shift(created_at, stream.between(5 * HOUR, 9 * HOUR))
      // Today's sessions ended at least an hour ago, so that no one appears to be online.
      const lastSeen = new Date(
        Math.min(endOfDay.getTime(), calendar.now.getTime() - stream.between(1 * HOUR, 3 * HOUR)),
      )
      if (isDayOff || lastSeen <= created_at) return []
      return {
        token_hash: createHash('sha256').update(`${id}/${back}/${stream.next()}`).digest(),
        worker_id: id,
        created_at,
        last_seen_at: lastSeen,
        ended_at: shift(lastSeen, IDLE),
        ended_reason: 'idle',
      }
    }).flat(),
  )
  await copy('sessions', sessions)
}
