import { addDays } from '@limber/contract/kit/days.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import type { Day } from '@limber/contract/kit/values.ts'
import type { MacroAction, MacroStep } from '@limber/contract/support/saved-replies/macro.ts'
import { MAX_TAGS_PER_TICKET, type TicketStatus, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { MAX_OPEN_TASKS } from '@limber/contract/support/tickets/ticket-task.ts'

/** What the actions of a saved reply depend on. */
export interface MacroFacts {
  ticket: { status: TicketStatus; tags: readonly number[]; assignee_id: number | null }
  /** The account with the ticket's address; undefined when nobody has it. */
  customer: { credits: number; isGone: boolean } | undefined
  worker: { id: number; mayGrant: boolean; exceedsLimit: boolean; openTasks: number }
  /** Names of the tags and workers that exist and can be used. */
  tags: ReadonlyMap<number, string>
  workers: ReadonlyMap<number, string>
  today: Day
  now: Date
}

const ALREADY = 'already so'

const formatCredits = (count: number) => (count === 1 ? '1 credit' : `${count} credits`)

function creditProblem({ customer, worker }: MacroFacts): string | null {
  if (!worker.mayGrant) return 'You may not change credits.'
  if (!customer) return 'No account has the address of this ticket.'
  return customer.isGone ? 'The account was erased or merged.' : null
}

/** The day on which the call-back of an action is due. */
export const callbackDay = (today: Day, days: number): Day => addDays(today, days)

type Part = Partial<Pick<MacroStep, 'detail' | 'needsPasskey' | 'problem'>> & { text: string }

function describe(action: MacroAction, facts: MacroFacts, newTags: number): Part {
  const { ticket, worker, tags, workers, today, now } = facts
  switch (action.type) {
    case 'status': {
      const detail = ticket.status === action.status ? ALREADY : ''
      return { text: `Set status to ${ticketStatusLabels[action.status]}`, detail }
    }
    case 'tag': {
      const name = tags.get(action.tag)
      if (name === undefined) return { text: 'Add a tag', problem: 'This tag does not exist anymore.' }
      if (ticket.tags.includes(action.tag)) return { text: `Add tag ${name}`, detail: ALREADY }
      const isFull = ticket.tags.length + newTags >= MAX_TAGS_PER_TICKET
      return { text: `Add tag ${name}`, problem: isFull ? `The ticket has ${MAX_TAGS_PER_TICKET} tags.` : null }
    }
    case 'assign': {
      const id = action.worker === 'me' ? worker.id : action.worker
      const name = action.worker === 'me' ? 'you' : workers.get(action.worker)
      if (name === undefined) return { text: 'Assign the ticket', problem: 'This worker may not handle tickets.' }
      return { text: `Assign to ${name}`, detail: ticket.assignee_id === id ? ALREADY : '' }
    }
    case 'credits': {
      const text = `Grant ${formatCredits(action.credits)}`
      const problem = creditProblem(facts)
      if (problem !== null || !facts.customer) return { text, problem }
      const { credits } = facts.customer
      return { text, detail: `${credits} to ${credits + action.credits}`, needsPasskey: worker.exceedsLimit }
    }
    case 'callback': {
      const detail = formatDay(callbackDay(today, action.days), { now, hasWeekday: true })
      const isFull = worker.openTasks >= MAX_OPEN_TASKS
      return {
        text: 'Call-back task for you',
        detail,
        problem: isFull ? `You have ${MAX_OPEN_TASKS} open tasks.` : null,
      }
    }
  }
}

/** What each action would do now, and why it cannot. */
export function planMacro(actions: readonly MacroAction[], facts: MacroFacts): MacroStep[] {
  let newTags = 0
  return actions.map((action) => {
    const part = describe(action, facts, newTags)
    if (action.type === 'tag' && !part.problem && !part.detail) newTags += 1
    return { type: action.type, detail: '', needsPasskey: false, problem: null, ...part }
  })
}
