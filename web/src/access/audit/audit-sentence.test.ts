import type { AuditRow } from '@limber/contract/access/audit/audit.ts'
import { expect, it } from 'vitest'
import { auditActor, auditPhrase } from './audit-sentence.ts'

const makeEntry = (more: Partial<AuditRow>): AuditRow => ({
  ...{ id: 1, at: '2026-11-14T18:12:00.000Z', actor: null, worker: { id: 7, name: 'Priya Raman' }, call: 'x' },
  ...{ action: 'lead_converted', outcome: 'done', subject: 'lead', subjectId: '906', before: null, after: null },
  subjectName: null,
  ...{ reason: null, areValuesHidden: false, address: null, requestId: null },
  ...more,
})

it.each([
  ['lead_converted', 'lead', 'converted lead 906'],
  ['contact_corrected', 'customer', 'corrected the contact of customer 906'],
  ['credits_adjusted', 'customer', 'adjusted the credits of customer 906'],
  ['ticket_file_added', 'ticket', 'added the file of ticket 906'],
  ['customers_merged', 'customer', 'merged customer 906'],
  ['lead_noted', 'lead', 'added a note to lead 906'],
  ['session_not_held', 'onsite_session', 'marked onsite session 906 as not held'],
  ['session_scheduled', 'onsite_session', 'scheduled onsite session 906'],
  ['import_undone', 'import', 'undid import 906'],
  ['signed_in', null, 'signed in'],
  ['verification_sent', 'customer', 'sent the verification email to customer 906 again'],
  ['something_else', 'lead', 'something else, lead 906'],
])('%s of %s: %s', (action, subject, text) => {
  expect(auditPhrase(makeEntry({ action, subject, subjectId: subject && '906' }))).toBe(text)
})

it.each([
  ['lead', 'Ana Quiroga', 'converted lead Ana Quiroga'],
  ['ticket', 'Charged twice', 'something else, ticket 906 “Charged twice”'],
  ['business', 'Citrus Belt Brewing', 'something else, business “Citrus Belt Brewing”'],
])('names a %s', (subject, subjectName, text) => {
  const action = subject === 'lead' ? 'lead_converted' : 'something_else'
  expect(auditPhrase(makeEntry({ action, subject, subjectName }))).toBe(text)
})

it('names the old and the new value of what an action is named after', () => {
  const change = { action: 'lead_status', before: { status: 'new' }, after: { status: 'contacted' } }
  expect(auditPhrase(makeEntry(change))).toBe('changed the status of lead 906 from New to Contacted')
  expect(auditPhrase(makeEntry({ ...change, before: null }))).toBe('changed the status of lead 906 to Contacted')
  expect(auditPhrase(makeEntry({ ...change, before: null, after: null }))).toBe('changed the status of lead 906')
})

it('does not say that something was done when it was rejected', () => {
  expect(auditPhrase(makeEntry({ action: 'passkey_refused', outcome: 'refused', subject: 'worker' }))).toBe(
    'passkey refused, worker 906',
  )
})

it('names who did it', () => {
  expect(auditActor(makeEntry({}))).toBe('Priya Raman')
  expect(auditActor(makeEntry({ worker: null, actor: 'Shop app' }))).toBe('Shop app')
  expect(auditActor(makeEntry({ worker: null }))).toBe('Someone not signed in')
})
