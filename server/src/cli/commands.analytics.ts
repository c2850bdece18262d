import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { rebuildRollups } from '#analytics/public.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { type Command, print, withConfig } from './command.ts'

const rebuild: Command = {
  usage: '',
  about: 'recompute the dashboard figures from the stored events',
  options: {},
  run: () =>
    withConfig(async ({ databaseUrl }) => {
      const db = openDb(openPool(databaseUrl, { size: 2 }))
      try {
        const { events } = await rebuildRollups({ db, clock: systemClock }, undefined, print)
        print(`Rebuilt the figures from ${pluralize(events, 'event')}.`)
      } finally {
        await db.destroy()
      }
    }),
}

/** Commands about usage events. */
export const analyticsCommands: Record<string, Command> = { 'analytics rebuild': rebuild }
