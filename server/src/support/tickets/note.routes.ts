import { addNote, listNotes } from '@limber/contract/support/customers/note.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { lockCustomer } from '../customers/account-action.queries.ts'
import { customerExists } from '../customers/customer-detail.queries.ts'
import { findNotes, insertNote } from './note.queries.ts'

export const noteRoutes = [
  serve(listNotes, async ({ params, db }) => {
    const rows = await findNotes(db, params.id)
    if (rows.length === 0 && !(await customerExists(db, params.id))) throw refuse(listNotes, 'not_found')
    return rows.map(({ created_at, ...note }) => ({ ...note, timestamp: created_at.toISOString() }))
  }),

  serve(addNote, async ({ params, body, db, now, worker, audit, publish }) => {
    const customer = await lockCustomer(db, params.id)
    if (!customer) throw refuse(addNote, 'not_found')
    if (customer.erased_at || customer.merged_into_id) throw refuse(addNote, 'gone')
    const { id } = await insertNote(db, params.id, worker.workerId, body.note, now)
    audit({ action: 'customer_noted', subject: 'customer', subjectId: params.id, after: { note: id } })
    publish('customers', { customer: params.id })
    return { id, note: body.note, staffId: worker.workerId, staffName: worker.name, timestamp: now.toISOString() }
  }),
]
