import { updateApiKey } from '@limber/contract/access/api-keys/api-key.ts'
import { correctProfile } from '@limber/contract/access/profile/profile.ts'
import { updateWebhook } from '@limber/contract/access/webhooks/webhook.ts'
import { changePermissions, correctWorker } from '@limber/contract/access/workers/worker.ts'
import { pauseSchedule, resumeSchedule } from '@limber/contract/automation/schedule.ts'
import { updateBlock } from '@limber/contract/businesses/blocks/block.ts'
import {
  archiveBusiness,
  deleteBusiness,
  restoreBusiness,
  updateBusiness,
} from '@limber/contract/businesses/business/business.ts'
import { updateEmail } from '@limber/contract/businesses/emails/allowed-email.ts'
import { cancelSession, changeStretcher, rescheduleSession } from '@limber/contract/businesses/sessions/onsite.ts'
import { deleteZone, updateZone } from '@limber/contract/businesses/zones/zone.ts'
import { calls } from '@limber/contract/calls.ts'
import {
  createCertification,
  revokeCertification,
  updateCertification,
} from '@limber/contract/certifications/certification.ts'
import { updateCertificationType } from '@limber/contract/certifications/type.ts'
import { updateCompany } from '@limber/contract/company/company.ts'
import { updateMailServer } from '@limber/contract/company/mail-server.ts'
import { changePartner } from '@limber/contract/growth/partners/partner.ts'
import { changeTask } from '@limber/contract/growth/tasks/task.ts'
import type { CallDefinition, InputOf } from '@limber/contract/kit/call.ts'
import { editCampaign, setCampaignStatus } from '@limber/contract/marketing/campaigns/campaign.ts'
import { assignLead, editLead, setLeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { closePeriod } from '@limber/contract/payroll/entries/period.ts'
import { changeSettings } from '@limber/contract/payroll/settings/settings.ts'
import {
  activateStretcher,
  deactivateStretcher,
  finishTraining,
  updateStretcher,
} from '@limber/contract/stretchers/stretcher.ts'
import { saveRoundRobin } from '@limber/contract/support/assignment/assignment.ts'
import { correctContact } from '@limber/contract/support/customers/account.ts'
import { updateMailbox } from '@limber/contract/support/mailboxes/mailbox.ts'
import { savePromises } from '@limber/contract/support/promises/promise.ts'
import { updateView } from '@limber/contract/support/queues/queue.ts'
import { removeTag, renameTag } from '@limber/contract/support/queues/tag.ts'
import { saveRatingSettings } from '@limber/contract/support/ratings/rating.ts'
import { splitTicket } from '@limber/contract/support/related/related.ts'
import { updateSavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { createSuggestion, reviewSuggestion } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import {
  assignTicket,
  changeTicket,
  mergeTicket,
  respondToTicket,
  setTicketPriority,
  setTicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { handleErrorGroup, reopenErrorGroup } from '@limber/contract/tech/errors/error-log.ts'
import { deleteCourse, updateCourse, updateCourseTheme } from '@limber/contract/training/courses/course.ts'
import { deleteModule, updateModule } from '@limber/contract/training/courses/module.ts'
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import { deleteLesson, putLesson, updateLesson } from '@limber/contract/training/lessons/lesson.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeApiKey } from '#access/api-keys/api-key.factory.ts'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { makeSchedule } from '#automation/schedule.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { makeCertification, makeCertificationType } from '#certifications/certification.factory.ts'
import { makeTask } from '#growth/tasks/task.factory.ts'
import { makeCampaign, makeLead } from '#marketing/leads/lead.factory.ts'
import { makePeriod } from '#payroll/payroll.factory.ts'
import { takesVersion } from '#platform/http/missing-version.ts'
import { startTestServer, type TestCaller, type TestReply, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher, type StretcherDraft } from '#stretchers/stretcher.factory.ts'
import { makeRoundRobin } from '#support/assignment/assignment.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeMailbox } from '#support/mailboxes/mailbox.factory.ts'
import { draftMailbox } from '#support/mailboxes/mailbox.testing.ts'
import { draftPromises } from '#support/promises/promise.testing.ts'
import { makeTag, makeView } from '#support/queues/queue.factory.ts'
import { makeSavedReply } from '#support/saved-replies/saved-reply.factory.ts'
import { makeTicket } from '#support/tickets/ticket.factory.ts'
import { groupAllFailures } from '#tech/errors/group-failures.ts'
import { makeFailure } from '#tech/tech.factory.ts'
import { makeCourse, makeLesson, makeModule } from '#training/training.factory.ts'

let server: TestServer
let boss: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  boss = server.asOwner({ isSteppedUp: true })
})
afterAll(() => server.stop())

type Write = () => Promise<TestReply>
const write =
  <C extends CallDefinition>(call: C, input: InputOf<C>): Write =>
  () =>
    boss.send(call, input as never)

/** A record, and two writes based on the same version of it. The second must be refused. */
interface Conflict {
  table: string
  id: number | string
  first: Write
  late: Write
  /** The refusal code of the late write. Default: `stale`. */
  code?: string
}

interface Versioned {
  id: number
  version: number
}
const pathOf = ({ id }: Versioned) => ({ params: { id: String(id) } })

type Late<H> = (held: H) => Promise<Write> | Write

/** Two writers loaded the same record and change it in different ways. */
async function makeConflict<H extends { id: number }>(
  table: string,
  making: Promise<H>,
  first: (held: H) => Write,
  late: Late<H>,
): Promise<Conflict> {
  const held = await making
  return { table, id: held.id, first: first(held), late: await late(held) }
}
const simpleConflict = <H extends Versioned>(
  table: string,
  making: Promise<H>,
  change: (held: H, whose: 'Theirs' | 'Mine') => Write,
) =>
  makeConflict(
    table,
    making,
    (held) => change(held, 'Theirs'),
    (held) => change(held, 'Mine'),
  )

async function conflictOnBusiness(late: (business: Versioned) => Write, overrides = {}): Promise<Conflict> {
  const { id, version, custom_path, admin_email, zone_id } = await makeBusiness(server.db, overrides)
  const body = { id, name: 'Theirs', custom_path, admin_email, zone_id, version }
  return { table: 'businesses', id, first: write(updateBusiness, { body }), late: late({ id, version }) }
}

type Zone = Awaited<ReturnType<typeof makeZone>>
const conflictOnZone = (late: Late<Zone>) =>
  makeConflict('zones', makeZone(server.db), (zone) => changeZone(zone, `Theirs ${zone.id}`), late)
const changeZone = ({ id, time_zone, geometry, version }: Zone, name: string) =>
  write(updateZone, { body: { id, name, time_zone, geometry: structuredClone(geometry) as never, version } })

const DAY_ONE = '2027-02-01T17:00:00Z'
const conflictOnSession = (late: Late<Versioned>) =>
  makeConflict(
    'onsite_sessions',
    makeSession(server.db, { starts_at: new Date(DAY_ONE) }),
    (session) => move(session, '2027-02-02'),
    late,
  )
const move = ({ id, version }: Versioned, day: string) =>
  write(rescheduleSession, { body: { session_id: id, new_starts_at: `${day}T17:00:00Z`, version } })

type Stretcher = Versioned & { zone_id: number | null }
const conflictOnStretcher = (late: Late<Stretcher>, overrides: StretcherDraft = {}) =>
  makeConflict('stretchers', makeStretcher(server.db, overrides), (held) => rename(held, 'Theirs'), late)
const rename = ({ id, version, zone_id: zoneId }: Stretcher, firstName: string) =>
  write(updateStretcher, {
    params: { id: String(id) },
    body: { firstName, lastName: 'Okafor', dateOfBirth: null, zoneId, version },
  })

async function conflictOnCertification(
  late: (held: Versioned & { edit(name: string): Write }) => Write,
): Promise<Conflict> {
  const held = await makeCertification(server.db)
  const { customer_id: userId, type_id: certificationTypeId, version } = held
  const edit = (name: string) =>
    write(updateCertification, {
      ...pathOf(held),
      body: { userId, certificationTypeId, name, instructor: 'Ines Park', version },
    })
  return { table: 'certifications', id: held.id, first: edit('Theirs'), late: late({ ...held, edit }) }
}

async function conflictOnCourse(late: (course: { course_key: string; version: number }) => Write): Promise<Conflict> {
  const { id, course_key, version } = await makeCourse(server.db)
  const first = write(updateCourse, { body: { course_key, title: 'Theirs', version } })
  return { table: 'training_courses', id, first, late: late({ course_key, version }) }
}

async function conflictOnModule(late: (at: { course_key: string; module_key: string; version: number }) => Write) {
  const course = await makeCourse(server.db)
  const { id, module_key, version } = await makeModule(server.db, { course_id: course.id })
  const at = { course_key: course.course_key, module_key, version }
  const first = write(updateModule, { body: { ...at, title: 'Theirs' } })
  return { table: 'training_modules', id, first, late: late(at) }
}

const conflictOnLesson = (late: Late<Versioned>) =>
  makeConflict(
    'training_lessons',
    makeLesson(server.db),
    ({ id, version }) => write(updateLesson, { body: { lesson_id: id, title: 'Theirs', version } }),
    late,
  )

const conflictOnTicket = (late: Late<Versioned>) =>
  makeConflict(
    'tickets',
    makeTicket(server.db),
    (held) => write(setTicketPriority, { ...pathOf(held), body: { priority: 'high', version: held.version } }),
    late,
  )

const conflictOnLead = (late: Late<Versioned>) =>
  makeConflict(
    'leads',
    makeLead(server.db),
    (held) => write(editLead, { ...pathOf(held), body: { first_name: 'Theirs', version: held.version } }),
    late,
  )

const conflictOnCampaign = (late: Late<Versioned>) =>
  makeConflict(
    'campaigns',
    makeCampaign(server.db),
    (held) => write(editCampaign, { ...pathOf(held), body: { name: 'Theirs', version: held.version } }),
    late,
  )

async function conflictOnSchedule(name: string, call: typeof pauseSchedule | typeof resumeSchedule): Promise<Conflict> {
  await makeSchedule(server.db, { name, nextRunAt: new Date('2026-12-01T14:00:00Z') })
  if (call === resumeSchedule) await write(pauseSchedule, { params: { name }, body: { reason: 'Cleaning' } })()
  const version = (await rowOf('schedules', name)).version as number
  const change = (reason: string) => write(call, { params: { name }, body: { reason, version } })
  return { table: 'schedules', id: name, first: change('Theirs'), late: change('Mine') }
}

async function conflictOnFailure(
  path: string,
  call: typeof handleErrorGroup | typeof reopenErrorGroup,
): Promise<Conflict> {
  await makeFailure(server.db, { at: server.clock.now(), path })
  await groupAllFailures(server.running.services)
  const find = () =>
    server.db.selectFrom('error_groups').select(['id', 'version']).where('path', '=', path).executeTakeFirstOrThrow()
  if (call === reopenErrorGroup) await write(handleErrorGroup, { ...pathOf(await find()), body: { note: 'Mended' } })()
  const group = await find()
  const change = (note: string) => write(call, { ...pathOf(group), body: { note, version: group.version } })
  return { table: 'error_groups', id: group.id, first: change('Theirs'), late: change('Mine') }
}

// biome-ignore format: one conflict per line
const conflicts: readonly (readonly [CallDefinition, () => Promise<Conflict>])[] = [
  [updateBusiness, () => simpleConflict('businesses', makeBusiness(server.db), ({ name: _, ...held }, name) => write(updateBusiness, { body: { ...held, name } }))],
  [deleteBusiness, () => conflictOnBusiness((body) => write(deleteBusiness, { body }))],
  [archiveBusiness, () => conflictOnBusiness((body) => write(archiveBusiness, { body }))],
  [restoreBusiness, () => conflictOnBusiness((body) => write(restoreBusiness, { body }), { archived_at: server.clock.now() })],
  [changePartner, () => conflictOnBusiness((held) => write(changePartner, { ...pathOf(held), body: { kind: 'school', version: held.version } }))],
  [updateEmail, () => simpleConflict('business_emails', anAddress(), ({ id, version }, whose) => write(updateEmail, { body: { email_id: id, new_email: `${whose}@example.com`, version } }))],
  [updateBlock, () => simpleConflict('prepaid_blocks', makeBlock(server.db), ({ id, version }, internal_label) => write(updateBlock, { body: { block_id: id, internal_label, expires_on: null, version } }))],
  [updateZone, () => conflictOnZone((zone) => changeZone(zone, `Mine ${zone.id}`))],
  [deleteZone, () => conflictOnZone(({ id, version }) => write(deleteZone, { body: { id, version } }))],
  [rescheduleSession, () => conflictOnSession((session) => move(session, '2027-02-03'))],
  [changeStretcher, () => conflictOnSession(async ({ id, version }) => write(changeStretcher, { body: { session_id: id, new_stretcher_id: (await makeStretcher(server.db)).id, version } }))],
  [cancelSession, () => conflictOnSession(({ id, version }) => write(cancelSession, { body: { session_id: id, reason: 'Rain', version } }))],
  [updateStretcher, () => conflictOnStretcher((held) => rename(held, 'Mine'))],
  [deactivateStretcher, () => conflictOnStretcher((held) => write(deactivateStretcher, { ...pathOf(held), body: { reason: 'Moved', version: held.version } }))],
  [activateStretcher, () => conflictOnStretcher((held) => write(activateStretcher, { ...pathOf(held), body: { reason: 'Back', version: held.version } }), { status: 'inactive' })],
  [finishTraining, () => conflictOnStretcher((held) => write(finishTraining, { ...pathOf(held), body: { reason: 'Passed', version: held.version } }), { status: 'in_training' })],
  [updateCertification, () => conflictOnCertification(({ edit }) => edit('Mine'))],
  [revokeCertification, () => conflictOnCertification((held) => write(revokeCertification, { ...pathOf(held), body: { reason: 'Mistake', version: held.version } }))],
  [updateCertificationType, () => simpleConflict('certification_types', makeCertificationType(server.db), (held, whose) => write(updateCertificationType, { ...pathOf(held), body: { certificationName: `${whose} ${held.id}`, version: held.version } }))],
  [updateCourse, () => conflictOnCourse((course) => write(updateCourse, { body: { ...course, title: 'Mine' } }))],
  [updateCourseTheme, () => conflictOnCourse((course) => write(updateCourseTheme, { body: { ...course, theme: { primaryColor: '#112233' } } }))],
  [deleteCourse, () => conflictOnCourse((course) => write(deleteCourse, { body: course }))],
  [updateModule, () => conflictOnModule((at) => write(updateModule, { body: { ...at, title: 'Mine' } }))],
  [deleteModule, () => conflictOnModule((at) => write(deleteModule, { body: at }))],
  [updateLesson, () => conflictOnLesson(({ id, version }) => write(updateLesson, { body: { lesson_id: id, title: 'Mine', version } }))],
  [putLesson, () => conflictOnLesson((held) => write(putLesson, { ...pathOf(held), body: { title: 'Mine', content_type: 'text', content_data: defaultContent('text'), version: held.version } }))],
  [deleteLesson, () => conflictOnLesson(({ id, version }) => write(deleteLesson, { body: { lesson_id: id, version } }))],
  [setTicketStatus, () => conflictOnTicket((held) => write(setTicketStatus, { ...pathOf(held), body: { status: 'closed', version: held.version } }))],
  [setTicketPriority, () => conflictOnTicket((held) => write(setTicketPriority, { ...pathOf(held), body: { priority: 'low', version: held.version } }))],
  [assignTicket, () => conflictOnTicket(async (held) => write(assignTicket, { ...pathOf(held), body: { workerId: (await boss.worker()).id, version: held.version } }))],
  [changeTicket, () => conflictOnTicket((held) => write(changeTicket, { ...pathOf(held), body: { change: { kind: 'refund' }, version: held.version } }))],
  [mergeTicket, () => conflictOnTicket(async (held) => write(mergeTicket, { ...pathOf(held), body: { into: (await makeTicket(server.db)).id, version: held.version } }))],
  [splitTicket, () => conflictOnTicket((held) => write(splitTicket, { ...pathOf(held), body: { messageId: 1, takes: 'one', subject: 'Mine', version: held.version } }))],
  [saveRoundRobin, () => simpleConflict('round_robins', makeRoundRobin(server.db, { members: [] }), (held, whose) => write(saveRoundRobin, { body: { view: null, isOn: false, maxOpen: whose === 'Mine' ? 5 : 6, members: [], version: held.version } }))],
  [respondToTicket, async () => ({ ...(await simpleConflict('tickets', makeTicket(server.db), (held, message) => async () => boss.send(respondToTicket, { ...pathOf(held), body: { message, workerId: (await boss.worker()).id, version: held.version } }))), code: 'replied_meanwhile' })],
  [reviewSuggestion, () => simpleConflict('kb_suggestions', aSuggestion(), (held, reason) => write(reviewSuggestion, { ...pathOf(held), body: { status: reason === 'Mine' ? 'rejected' : 'approved', reason, version: held.version } }))],
  [renameTag, () => simpleConflict('ticket_tags', makeTag(server.db), (held, whose) => write(renameTag, { ...pathOf(held), body: { name: `${whose} ${held.id}`, version: held.version } }))],
  [removeTag, () => makeConflict('ticket_tags', makeTag(server.db), (held) => write(renameTag, { ...pathOf(held), body: { name: `Theirs ${held.id}`, version: held.version } }), (held) => write(removeTag, { ...pathOf(held), body: { into: null, version: held.version } }))],
  [updateView, () => simpleConflict('ticket_views', aView(), (held, whose) => write(updateView, { ...pathOf(held), body: { ...viewDraft, name: `${whose} ${held.id}`, version: held.version } }))],
  [updateSavedReply, () => simpleConflict('saved_replies', aSavedReply(), (held, whose) => write(updateSavedReply, { ...pathOf(held), body: { name: held.name, content: whose, version: held.version } }))],
  [updateMailbox, () => simpleConflict('mailboxes', aMailbox(), (held, name) => write(updateMailbox, { ...pathOf(held), body: { ...draftMailbox(), address: held.address, name, version: held.version } }))],
  [savePromises, () => simpleConflict('promise_settings', thePromises(), ({ version }, whose) => write(savePromises, { body: { ...draftPromises({ holidays: [{ day: '2027-07-05', name: whose }] }), version } }))],
  [saveRatingSettings, () => simpleConflict('rating_settings', theOne('rating_settings'), ({ version }, whose) => write(saveRatingSettings, { body: { isOn: whose === 'Theirs', version } }))],
  [correctContact, () => simpleConflict('customers', makeCustomer(server.db), (held, first_name) => write(correctContact, { ...pathOf(held), body: { first_name, last_name: held.last_name, email: held.email, phone: null, reason: 'Asked', version: held.version } }))],
  [editLead, () => conflictOnLead((held) => write(editLead, { ...pathOf(held), body: { first_name: 'Mine', version: held.version } }))],
  [setLeadStatus, () => conflictOnLead(({ id, version }) => write(setLeadStatus, { body: { leadId: id, status: 'contacted', version } }))],
  [assignLead, () => conflictOnLead((held) => async () => boss.send(assignLead, { ...pathOf(held), body: { workerId: (await boss.worker()).id, version: held.version } }))],
  [mergeLeads, () => conflictOnLead(async (held) => write(mergeLeads, { ...pathOf(held), body: { duplicateId: (await makeLead(server.db)).id, version: held.version } }))],
  [editCampaign, () => conflictOnCampaign((held) => write(editCampaign, { ...pathOf(held), body: { name: 'Mine', version: held.version } }))],
  [setCampaignStatus, () => conflictOnCampaign((held) => write(setCampaignStatus, { ...pathOf(held), body: { status: 'completed', version: held.version } }))],
  [changeTask, () => simpleConflict('city_tasks', makeTask(server.db), (held, title) => write(changeTask, { ...pathOf(held), body: { title, version: held.version } }))],
  [updateApiKey, () => simpleConflict('api_keys', aKey(), (held, name) => write(updateApiKey, { ...pathOf(held), body: { name, version: held.version } }))],
  [updateWebhook, () => simpleConflict('webhook_endpoints', anEndpoint(), (held, description) => write(updateWebhook, { ...pathOf(held), body: { description, version: held.version } }))],
  [changePermissions, () => simpleConflict('workers', aWorker(), (held, whose) => write(changePermissions, { ...pathOf(held), body: { role: null, permissions: [whose === 'Mine' ? '1' : '2'], version: held.version } }))],
  [correctWorker, () => simpleConflict('workers', aWorker(), (held, name) => write(correctWorker, { ...pathOf(held), body: { name, email: held.email, version: held.version } }))],
  [correctProfile, () => simpleConflict('workers', theOwner(), ({ email, version }, name) => write(correctProfile, { body: { name, email, version } }))],
  [updateCompany, () => simpleConflict('company', theOne('company'), ({ version }, name) => write(updateCompany, { body: { ...aProfile, name, version } }))],
  [updateMailServer, () => simpleConflict('mail_server', theOne('mail_server'), ({ version }, whose) => write(updateMailServer, { body: { ...aMailServer, host: `${whose}.example.com`, version } }))],
  [changeSettings, () => simpleConflict('payroll_settings', theSettings(), ({ version }, whose) => write(changeSettings, { body: { basePay: whose === 'Mine' ? 51 : 52, version } }))],
  [closePeriod, async () => ({ ...(await simpleConflict('pay_periods', aPeriod(), ({ id, version }) => write(closePeriod, { body: { period_id: id, version } }))), code: 'already_closed' })],
  [pauseSchedule, () => conflictOnSchedule('to-pause', pauseSchedule)],
  [resumeSchedule, () => conflictOnSchedule('to-resume', resumeSchedule)],
  [handleErrorGroup, () => conflictOnFailure('/api/to-handle', handleErrorGroup)],
  [reopenErrorGroup, () => conflictOnFailure('/api/to-reopen', reopenErrorGroup)],
]

/** The stored row. Payroll settings are append-only, so their newest row. */
async function rowOf(table: string, id: number | string): Promise<Record<string, unknown>> {
  const name = table === 'schedules' ? 'name' : 'id'
  const whose = /^(payroll|promise)_settings$/.test(table)
    ? sql`true order by version desc limit 1`
    : sql`${sql.ref(name)} = ${id}`
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} t where ${whose}`.execute(server.db)
  return rows[0]?.row ?? {}
}

const anAddress = async () => {
  const { id } = await makeBusiness(server.db)
  const row = { business_id: id, email: 'ana@example.com', created_at: server.clock.now() }
  return server.db.insertInto('business_emails').values(row).returning(['id', 'version']).executeTakeFirstOrThrow()
}
const aSuggestion = async () => {
  const body = { title: 'Parking', content: 'Where to park', target_section: 'faq', priority: 'low' } as const
  return (await boss.send(createSuggestion, { body })).body.data
}
const aMailbox = async () => makeMailbox(server.db, { created_by: (await boss.worker()).id })
const viewDraft = { isShared: false, queue: null, status: null, priority: null, kind: null, assignee: null, tag: null }
const aView = async () => makeView(server.db, { worker_id: (await boss.worker()).id })
const aSavedReply = async () => makeSavedReply(server.db, { changed_by: (await boss.worker()).id })
const aKey = async () => ({ ...(await makeApiKey(server.db)), version: 1 })
const anEndpoint = async () => {
  const { rows } = await sql<{ id: number; version: number }>`
    insert into webhook_endpoints (url, events, created_at) values ('https://hooks.example.com/', '{customer.updated}', now())
    returning id, version`.execute(server.db)
  if (!rows[0]) throw new Error('no endpoint')
  return rows[0]
}
const aWorker = async () => ({ ...(await makeWorker(server.db)), version: 1 })
const theOwner = async () => {
  const { id } = await boss.worker()
  const own = server.db.updateTable('workers').set({ role: 'Owner' }).where('id', '=', id)
  return own.returning(['id', 'email', 'version']).executeTakeFirstOrThrow()
}
const aPeriod = async () => ({ ...(await makePeriod(server.db, '2026-03-02')), version: 1 })
const theOne = async (table: string) => ({ id: 1, version: (await rowOf(table, 1)).version as number })
const aProfile = {
  ...{ legal_name: '', address_line: '', city: '', state: '', postal_code: '', phone: '', reply_to: '' },
  ...{ time_zone: 'America/Los_Angeles', week_starts_on: 'monday' as const },
}
const aMailServer = { port: 587, security: 'starttls' as const, username: '', from_address: 'hello@example.com' }
const thePromises = async () => ({ id: 0, version: ((await rowOf('promise_settings', 0)).version ?? 0) as number })
const theSettings = async () => ({ id: 0, version: (await rowOf('payroll_settings', 0)).version as number })

const nameOf = ({ method, path }: CallDefinition) => `${method} ${path}`
const carriesVersion = ({ body }: CallDefinition) => {
  const schema = body && z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  return schema?.properties?.version !== undefined
}

describe('O1 two writers with the same version', () => {
  it('are tested for every call with a version', () => {
    const versioned = calls.filter((call) => carriesVersion(call) && call !== createCertification)
    expect(versioned.map(nameOf).toSorted()).toEqual(conflicts.map(([call]) => nameOf(call)).toSorted())
    // Calls without a version in the request are accepted and logged.
    expect(versioned.filter((call) => !takesVersion(call)).map(nameOf)).toEqual([])
  })
  it('are detected in every call that updates a whole record', () => {
    const updates = calls.filter(({ method, path }) => ['PUT', 'PATCH'].includes(method) || path.endsWith('/update'))
    // Only the owner of a passkey renames it, and the name is the only field. An external id is attached once. A program
    // is alone with its webhooks.
    const others = updates.filter((call) => !carriesVersion(call) && !call.path.endsWith('/:id/external-id'))
    expect(others.map(nameOf)).toEqual(['PATCH /api/profile/passkeys/:id', 'PATCH /api/v1/webhooks/:id'])
  })
  it.each(conflicts.map(([call, makeConflict]) => [nameOf(call), call, makeConflict] as const))(
    '%s: the late writer gets 409 with the current record, and the first change stays',
    async (_, call, makeConflict) => {
      const { table, id, first, late, code = 'stale' } = await makeConflict()
      const before = await rowOf(table, id)
      const done = await first()
      expect(done.status, done.text).toBe(200)
      const kept = await rowOf(table, id)
      expect(kept).not.toEqual(before)
      const refused = await late()
      expect([refused.status, refused.failure.code, refused.text]).toEqual([409, code, expect.any(String)])
      expect(call.refusals?.[code]?.[2]?.safeParse(refused.failure.current)).toMatchObject({ success: true })
      expect(await rowOf(table, id)).toEqual(kept)
    },
  )
})
