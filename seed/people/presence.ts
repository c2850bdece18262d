import { createHash } from 'node:crypto'
import { HOUR, MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { Story } from '../chapter.ts'

const DAYS_BACK = 10
const IDLE = 30 * MINUTE
const SUNDAY = 0
const SATURDAY = 6

/** When the staff were at their desks of late: days of work that are over. Nothing here opens a door; every session has ended. */
export async function tellPresence({ db, copy, calendar, random }: Story) {
  const lots = random('people/presence')
  const workers = await db.selectFrom('workers').select('id').where('status', '=', 'active').orderBy('id').execute()
  const sessions = workers.flatMap(({ id }) =>
    Array.from({ length: DAYS_BACK + 1 }, (_, back) => {
      const isFree = [SUNDAY, SATURDAY].includes(calendar.weekday(-back)) || lots.chance(0.15)
      const created_at = calendar.at(-back, lots.whole(8 * 60, 10 * 60))
      const leaves = shift(created_at, lots.between(5 * HOUR, 9 * HOUR))
      // Whoever is still at it today went away a while ago, so that nobody seems to be there who is not.
      const left = new Date(Math.min(leaves.getTime(), calendar.now.getTime() - lots.between(1 * HOUR, 3 * HOUR)))
      if (isFree || left <= created_at) return []
      return {
        token_hash: createHash('sha256').update(`${id}/${back}/${lots.next()}`).digest(),
        worker_id: id,
        created_at,
        last_seen_at: left,
        ended_at: shift(left, IDLE),
        ended_reason: 'idle',
      }
    }).flat(),
  )
  await copy('sessions', sessions)
}
