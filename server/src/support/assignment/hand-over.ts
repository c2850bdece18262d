import { companyDay } from '@limber/contract/kit/company.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { HANDLE_PERMISSION } from '../tickets/change-tickets.ts'
import { changeTickets } from '../tickets/ticket-change.queries.ts'
import {
  findAssigneeAbsence,
  findSubstitute,
  lockStartedAbsence,
  lockTicketsOf,
  markHandedOver,
} from './absence.queries.ts'

type HandOverWork = Pick<Work, 'db' | 'now' | 'audit' | 'publish'>

interface Away {
  worker_id: number
  worker: string
  substitute_id: number | null
}

const BATCH_SIZE = 50

/** Gives tickets to the substitute, or back to the queue when there is none who can take them. */
async function handOver({ db, now, audit, publish }: HandOverWork, away: Away, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const substitute =
    away.substitute_id === null
      ? undefined
      : await findSubstitute(db, away.substitute_id, HANDLE_PERMISSION, companyDay(now))
  const reason = `${away.worker} is out of office`
  const text = substitute ? `Handed over to ${substitute.name}: ${reason}` : `Unassigned: ${reason}`
  const event = { kind: 'assigned', text, workerId: null } as const
  await changeTickets(db, ids, { assignee_id: substitute?.id ?? null }, event, now)
  for (const ticket of ids) {
    const facts = {
      before: { assignee: away.worker_id },
      after: { assignee: substitute?.id ?? null, by: 'out of office' },
    }
    audit({ action: 'ticket_assigned', subject: 'ticket', subjectId: ticket, ...facts })
    publish('tickets', { ticket })
  }
}

/** Hands over a ticket whose customer wrote while the assignee is out of office. */
export async function handOverReply(work: HandOverWork, ticketId: number): Promise<void> {
  const away = await findAssigneeAbsence(work.db, ticketId, companyDay(work.now))
  if (away) await handOver(work, away, [ticketId])
}

/** Hands over the open tickets of workers whose absence has begun, in short transactions. */
export async function startAbsences(services: Services): Promise<{ handedOver: number }> {
  let handedOver = 0
  for (let isDone = false; !isDone; )
    isDone = await runWork(services, { call: 'schedule start-absences' }, async (work) => {
      const { db, now } = work
      const absence = await lockStartedAbsence(db, companyDay(now))
      if (!absence) return true
      const ids = absence.hands_over ? await lockTicketsOf(db, absence.worker_id, BATCH_SIZE) : []
      await handOver(work, absence, ids)
      if (ids.length < BATCH_SIZE) await markHandedOver(db, absence.id, now)
      handedOver += ids.length
      return false
    })
  return { handedOver }
}
