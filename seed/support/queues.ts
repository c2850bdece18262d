import { makeTag, makeView } from '@limber/server/support/queues/queue.factory.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

/** Tags, and the subjects of the tickets that have them. */
const tags: readonly [name: string, subjects: readonly string[]][] = [
  ['short session', ['My session was cut short', 'Only 40 of 60 minutes', 'Session ended early today']],
  ['double charge', ['Charged twice', 'Two payments for one booking', 'Double charge on my card']],
  ['late arrival', ['Stretcher was late', 'Waited twenty minutes']],
]

/** Tags of tickets and the shared views of the support lead, who is the first of the staff. */
export async function seedQueues({ db, calendar }: SeedContext, [lead]: readonly number[]) {
  if (lead === undefined) return
  for (const [name, subjects] of tags) {
    const { id } = await makeTag(db, { name })
    await sql`update tickets set tags = array[${id}::bigint] where subject = any(${subjects}::text[])`.execute(db)
  }
  const view = { worker_id: lead, is_shared: true, changed_at: calendar.now }
  await makeView(db, { ...view, name: 'Open refunds', kind: 'refund', status: 'open' })
  await makeView(db, { ...view, name: 'Unassigned complaints', kind: 'complaint', queue: 'unassigned' })
}
