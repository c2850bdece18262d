import { previewMacro } from '@limber/contract/support/saved-replies/macro.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findMacro, findMacroTicket, findNextSession } from './macro.queries.ts'
import { planMacro } from './macro.rules.ts'
import { mayGrantCredits, readMacroFacts } from './run-macro.ts'

export const macroRoutes = [
  serve(previewMacro, async ({ params, db, now, worker }) => {
    const ticket = await findMacroTicket(db, params.id)
    if (!ticket) throw refuse(previewMacro, 'not_found')
    const macro = await findMacro(db, params.reply)
    if (!macro) throw refuse(previewMacro, 'no_reply')
    const { actions, version } = macro
    const { credits, is_gone: isGone, customer_id: customerId } = ticket
    const customer = credits === null ? undefined : { credits, isGone }
    const facts = await readMacroFacts(db, worker, actions, { ticket, customer }, now)
    const granted = actions.find((action) => action.type === 'credits')
    // Sessions belong to accounts, which not every worker may see.
    const next = customerId !== null && mayGrantCredits(worker) ? await findNextSession(db, customerId, now) : undefined
    return {
      version,
      steps: planMacro(actions, facts),
      facts: {
        credits: granted?.credits ?? null,
        stretcher: next?.stretcher ?? null,
        nextSession: next?.starts_at.toISOString() ?? null,
      },
    }
  }),
]
