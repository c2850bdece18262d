import { refreshFigures } from '#growth/public.ts'
import { stopwatch, systemClock } from '#platform/clock.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { type Command, print, withConfig } from './command.ts'

const rebuild: Command = {
  usage: '',
  about: 'recompute the growth figures from customers, bookings and payments',
  options: {},
  run: () =>
    withConfig(async ({ databaseUrl }) => {
      const db = openDb(openPool(databaseUrl, { size: 2 }))
      const elapsed = stopwatch()
      try {
        const isDone = await refreshFigures({ db, clock: systemClock })
        print(
          isDone
            ? `Rebuilt the growth figures in ${(elapsed() / 1000).toFixed(1)} s.`
            : 'Another process is already rebuilding them.',
        )
      } finally {
        await db.destroy()
      }
    }),
}

/** Commands about growth figures. */
export const growthCommands: Record<string, Command> = { 'growth rebuild': rebuild }
