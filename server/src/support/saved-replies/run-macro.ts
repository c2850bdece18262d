import { codeOf } from '@limber/contract/access/permissions.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import type { MacroAction } from '@limber/contract/support/saved-replies/macro.ts'
import { type RespondToTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import type { Caller } from '#platform/http/routes.ts'
import { type LockedCustomer, lockCustomer } from '../customers/account-action.queries.ts'
import { changeCredits } from '../customers/change-credits.ts'
import { exceedsCreditLimit } from '../limits/needs-passkey.ts'
import { bookTask } from '../tickets/book-task.ts'
import { applyChange, HANDLE_PERMISSION } from '../tickets/change-tickets.ts'
import type { LockedTicket } from '../tickets/ticket.queries.ts'
import { countOpenTasks } from '../tickets/ticket-task.queries.ts'
import { countMacroUse, findMacro, findMacroNames, findMacroTicket, type Macro } from './macro.queries.ts'
import { callbackDay, type MacroFacts, planMacro } from './macro.rules.ts'

export const mayGrantCredits = ({ permissions }: Caller) =>
  permissions.has(codeOf('users.overview')) || permissions.has(codeOf('users.directory'))

/** Everything that decides what the actions do for this worker and ticket. */
export async function readMacroFacts(
  db: Db,
  worker: Caller,
  actions: readonly MacroAction[],
  { ticket, customer }: Pick<MacroFacts, 'ticket' | 'customer'>,
  now: Date,
): Promise<MacroFacts> {
  const mayGrant = mayGrantCredits(worker)
  const delta = actions.find((action) => action.type === 'credits')?.credits ?? 0
  const hasTask = actions.some(({ type }) => type === 'callback')
  return {
    ticket,
    customer,
    worker: {
      id: worker.workerId,
      mayGrant,
      exceedsLimit: mayGrant && delta > 0 && (await exceedsCreditLimit(db, worker, delta, now)),
      openTasks: hasTask ? await countOpenTasks(db, worker.workerId) : 0,
    },
    ...(await findMacroNames(db, actions, HANDLE_PERMISSION)),
    today: companyDay(now),
    now,
  }
}

type RunWork = Pick<Work, 'db' | 'now' | 'audit' | 'publish' | 'emit'> & { worker: Caller }
type Chosen = NonNullable<RespondToTicket['macro']>

export interface OpenMacro extends Macro {
  /** The actions to run. */
  chosen: MacroAction[]
  customer: LockedCustomer | undefined
}

/**
 * Reads the saved reply that runs with a response. The account is locked before the ticket, as by everything that changes
 * both.
 */
export async function openMacro(db: Db, ticketId: number, { id, version, actions }: Chosen): Promise<OpenMacro> {
  const macro = await findMacro(db, id)
  if (!macro || macro.version !== version) throw refuse(respondToTicket, 'macro_changed')
  const chosen = [...new Set(actions)].flatMap((place) => macro.actions[place] ?? [])
  if (chosen.length !== actions.length) throw refuse(respondToTicket, 'macro_changed')
  const grants = chosen.some(({ type }) => type === 'credits')
  const ticket = grants ? await findMacroTicket(db, ticketId) : undefined
  const customer = ticket?.customer_id ? await lockCustomer(db, ticket.customer_id) : undefined
  return { ...macro, chosen, customer }
}

async function runAction(work: RunWork, ticket: LockedTicket, { name, customer }: OpenMacro, action: MacroAction) {
  const { worker, now } = work
  switch (action.type) {
    case 'status':
      return applyChange(work, [ticket], { status: action.status })
    case 'tag':
      return applyChange(work, [ticket], { addTag: action.tag })
    case 'assign':
      return applyChange(work, [ticket], { workerId: action.worker === 'me' ? worker.workerId : action.worker })
    case 'credits':
      return customer && changeCredits(work, customer, action.credits, `Ticket ${ticket.id}: ${name}`)
    case 'callback': {
      const dueOn = callbackDay(companyDay(now), action.days)
      return bookTask(work, { ticketId: ticket.id, workerId: worker.workerId, kind: 'callback', dueOn })
    }
  }
}

/** Runs the actions on a locked ticket: all of them, or none with the reason. */
export async function runMacro(work: RunWork, ticket: LockedTicket, macro: OpenMacro): Promise<void> {
  const { db, worker, now } = work
  // The ticket got another account since the account was locked.
  if (macro.customer && macro.customer.id !== ticket.customer_id) throw refuse(respondToTicket, 'macro_changed')
  const { customer } = macro
  const isGone = customer !== undefined && (customer.erased_at !== null || customer.merged_into_id !== null)
  const account = customer && { credits: customer.credits, isGone }
  const facts = await readMacroFacts(db, worker, macro.chosen, { ticket, customer: account }, now)
  for (const { text, problem } of planMacro(macro.chosen, facts))
    if (problem !== null) throw refuse(respondToTicket, 'macro_blocked', { values: { text, why: problem } })
  for (const action of macro.chosen) await runAction(work, ticket, macro, action)
  if (!(await countMacroUse(db, macro))) throw refuse(respondToTicket, 'macro_changed')
}
