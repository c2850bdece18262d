import type { Context } from '#platform/http/routes.ts'
import { finishTrainingIf } from '#stretchers/public.ts'
import { findRequiredProgress } from './enrollment.queries.ts'

export type EndTrainingContext = Pick<Context, 'db' | 'now' | 'audit' | 'publish' | 'emit'>

/** Ends the training of each user who is a stretcher in training and has completed every required course of theirs. */
export async function endTraining(context: EndTrainingContext, userIds: readonly number[]): Promise<void> {
  for (const userId of userIds)
    await finishTrainingIf(context, userId, async () => {
      const [progress] = await findRequiredProgress(context.db, [userId])
      return progress !== undefined && progress.completed === progress.required
    })
}
