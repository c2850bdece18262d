import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { markTasks, measureCity } from '@limber/server/growth/public.ts'
import { draftTask } from '@limber/server/growth/tasks/task.factory.ts'
import { TIME_ZONE } from '../calendar.ts'
import { type Plan, plans } from '../growth/plans.ts'
import type { SeedContext, Seeder } from '../seeder.ts'

/** City tasks of the growth team, with the figures of the day they were created and later ones. */
export const growth: Seeder = {
  name: 'Growth',
  async seed(context) {
    const team = await context.db
      .selectFrom('workers')
      .select('id')
      .where('role', '=', 'Growth')
      .where('status', '=', 'active')
      .orderBy('id')
      .execute()
    const rows = []
    for (const [index, plan] of plans.entries()) {
      const ids = {
        id: index + 1,
        assignee: plan.assignee === undefined ? null : (team[plan.assignee]?.id ?? null),
        author: team[0]?.id ?? null,
      }
      rows.push(await taskRow(context, plan, ids))
    }
    await context.copy('city_tasks', rows)
    await markTasks(context.db, context.calendar.now)
  },
}

async function taskRow(
  { db, calendar, scale }: SeedContext,
  plan: Plan,
  { id, assignee, author }: { id: number; assignee: number | null; author: number | null },
) {
  const created_at = calendar.at(-plan.created, 9 * 60 + 12 * id)
  // A larger company is loaded without indexes, where measuring would take minutes. Its tasks have no figures.
  const figures = scale === 1 ? await measureCity(db, plan.city, dayIn(TIME_ZONE, created_at)) : null
  return {
    id,
    ...draftTask({
      title: plan.title,
      description: plan.details,
      due_on: plan.due === undefined ? null : dayIn(TIME_ZONE, calendar.at(plan.due, 12 * 60)),
      priority: plan.priority,
      city_name: plan.city,
      assignee_id: assignee,
      created_by: author,
      created_at,
      done_at: plan.done === undefined ? null : calendar.at(-plan.done, 15 * 60),
      figures: figures && JSON.stringify(figures),
    }),
  }
}
