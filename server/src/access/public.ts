import { companyDay } from '@limber/contract/kit/company.ts'
import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { findKeyIdByPublicId, listKeyRows, lockKey } from './api-keys/api-key.queries.ts'
import { endOfDay } from './api-keys/api-key.rules.ts'
import { createKey, type KeyDraft, revoke } from './api-keys/change-key.ts'
import { hasOpenLink } from './onboarding/onboarding.queries.ts'
import { sendLink } from './onboarding/onboarding-link.ts'
import { endSessions } from './sessions/session.queries.ts'
import { createSampleKey } from './sign-in/sample-sign-in.queries.ts'
import { findActiveByEmail, listWorkerRecords } from './workers/worker.queries.ts'
import { codesOfRole, isIncompleteOwner } from './workers/worker.rules.ts'
import {
  findInvited,
  findInvitedOwner,
  hasOnboarded,
  insertWorker,
  lockOwners,
  updatePerson,
} from './workers/worker-change.queries.ts'

export { endRestoredSessions } from './sessions/restored.queries.ts'

type Installation = Pick<Services, 'db' | 'clock' | 'keyring' | 'config'>

export interface Invitation {
  email: string
  name: string
  /** A role preset. It sets the permissions unless they are given. */
  role?: string | undefined
  /** Permission codes. */
  permissions?: readonly string[] | undefined
}

/** Invites a worker from the command line. The link is emailed and also returned, so that the command can print it. */
export const inviteWorker = (services: Installation, { email, name, role, permissions }: Invitation) =>
  runWork(services, { call: 'limber worker invite' }, async (work) => {
    const draft = { email, name, role: role ?? null, permissions: [...(permissions ?? codesOfRole(role ?? null))] }
    if (isIncompleteOwner(draft.role, draft.permissions)) throw new Error('An Owner has every permission.')
    const person = await insertWorker(work.db, draft, work.now)
    if (!person) throw new Error(`A worker with the email ${email} already exists.`)
    work.audit({ action: 'worker_invited', subject: 'worker', subjectId: person.id, after: draft })
    return { workerId: person.id, link: await sendLink(work, person, 'invite', services.config) }
  })

/** Used when no one says who the first Owner is. The Owner changes name and email later. */
const PLACEHOLDER_EMAIL = 'owner@example.com'

/** Whether the first Owner still has to be named. */
export async function isFirstOwnerUnknown({ db }: Pick<Services, 'db'>): Promise<boolean> {
  if (await hasOnboarded(db)) return false
  const invited = await findInvitedOwner(db)
  return !invited || invited.email === PLACEHOLDER_EMAIL
}

/** The invited worker who becomes the first Owner. A placeholder gets the configured name and email. */
async function findFirstOwner(db: Db, { ownerEmail, ownerName }: Services['config'], now: Date) {
  const invited = await findInvitedOwner(db)
  if (!ownerEmail && invited) return invited
  const draft = { email: ownerEmail ?? PLACEHOLDER_EMAIL, name: ownerName ?? 'Owner' }
  const known = await findInvited(db, draft.email)
  if (known) return known
  if (
    invited?.email === PLACEHOLDER_EMAIL &&
    (await updatePerson(db, invited.id, { ...draft, version: invited.version }))
  )
    return { ...invited, ...draft }
  return insertWorker(db, { ...draft, role: 'Owner', permissions: codesOfRole('Owner') }, now)
}

/**
 * A new link for the first Owner, who is created if missing, until someone has onboarded. Processes that start together
 * take turns by a lock. `keepLinkFor` keeps the later ones from revoking the link that the first one just made.
 */
export const firstWorkerLink = (
  services: Installation,
  { keepLinkFor = 0 }: { keepLinkFor?: number } = {},
): Promise<{ name: string; email: string; link: string } | undefined> =>
  runWork(services, { call: 'limber start' }, async (work) => {
    const { db, now } = work
    await lockOwners(db)
    if (await hasOnboarded(db)) return undefined
    const person = await findFirstOwner(db, services.config, now)
    if (!person || (await hasOpenLink(db, person.id, shift(now, -keepLinkFor), now))) return undefined
    work.audit({ action: 'first_link_made', subject: 'worker', subjectId: person.id })
    const { name, email } = person
    return { name, email, link: await sendLink(work, person, 'invite', services.config) }
  })

/** Whether no one has onboarded yet. */
export const hasNoOnboardedWorker = async ({ db }: Pick<Services, 'db'>) => !(await hasOnboarded(db))

/** A new link for an invited worker, to show visitors of the sample company the normal onboarding. */
export const renewInvitation = (services: Installation): Promise<{ name: string; link: string } | undefined> =>
  runWork(services, { call: 'limber start' }, async (work) => {
    const [person] = await listWorkerRecords(work.db, { search: undefined, status: 'invited' }, 1, 0, work.now)
    if (!person) return undefined
    work.audit({ action: 'invitation_renewed', subject: 'worker', subjectId: person.id })
    return { name: person.name, link: await sendLink(work, person, 'invite', services.config) }
  })

/** All workers, for the command line. */
export async function listWorkers({ db, clock }: Pick<Services, 'db' | 'clock'>) {
  const rows = await listWorkerRecords(db, { search: undefined, status: undefined }, 10_000, 0, clock.now())
  return rows.map(({ id, name, email, role, status, last_seen_at: lastSeenAt }) => ({
    id,
    name,
    email,
    role,
    status,
    lastSeenAt,
  }))
}

/**
 * Break-glass: ends a worker's sessions and returns a new link. Passkeys and two-factor codes stay valid until the link
 * is used. The audit log names the command.
 */
export const resetWorker = (services: Installation, email: string): Promise<string> =>
  runWork(services, { call: 'limber worker reset' }, async (work) => {
    const active = await findActiveByEmail(work.db, email)
    const person = active ?? (await findInvited(work.db, email))
    if (!person) throw new Error(`No active or invited worker has the email ${email}. Run: limber worker list`)
    const ended = await endSessions(work.db, person.id, 'reset from the command line', work.now)
    work.audit({ action: 'worker_reset', subject: 'worker', subjectId: person.id, after: { ended } })
    work.publish('session', { workerId: person.id })
    return sendLink(work, person, active ? 'recovery' : 'invite', services.config)
  })

/** A sign-in link for the sample company. It works once, for 15 minutes, on this machine. */
export async function createSampleLink({
  db,
  clock,
  config,
}: Pick<Services, 'db' | 'clock' | 'config'>): Promise<string> {
  if (!config.isSample) throw new Error('Only the sample company has a sign-in link.')
  const key = await createSampleKey(db, clock.now())
  if (!key) throw new Error('The sample company has no active Owner.')
  return `${config.publicUrl}/sample-door?key=${key}`
}

/** Creates an API key from the command line, and gives it back to be printed. */
export const createKeyByCommand = (services: Installation, draft: KeyDraft): Promise<string> =>
  runWork(services, { call: 'limber api-key create' }, async (work) => {
    if (draft.expiresOn !== null && endOfDay(draft.expiresOn) <= work.now) throw new Error('--expires is in the past.')
    const made = await createKey(work, draft)
    if (!made) throw new Error(`An API key with the name ${draft.name} exists already.`)
    return made.token
  })

/** Every API key, for the command line. */
export async function listKeys({ db, clock }: Pick<Services, 'db' | 'clock'>) {
  const now = clock.now()
  const rows = await listKeyRows(db, companyDay(now), new Date(0))
  return rows.map((row) => ({
    publicId: row.public_id,
    name: row.name,
    source: row.source,
    scopes: row.scopes,
    status: row.revoked_at ? 'revoked' : row.expires_at && row.expires_at <= now ? 'expired' : 'active',
    lastUsedAt: row.last_used_at,
  }))
}

/** Revokes an API key from the command line; returns its name. */
export const revokeKeyByCommand = (services: Installation, publicId: string): Promise<string> =>
  runWork(services, { call: 'limber api-key revoke' }, async (work) => {
    const found = await findKeyIdByPublicId(work.db, publicId.replace(/^lmb_/, '').replace(/_.*$/, ''))
    const key = found && (await lockKey(work.db, found.id))
    if (!key) throw new Error(`There is no API key ${publicId}. See: limber api-key list`)
    if (key.revoked_at) throw new Error(`The API key ${key.name} is revoked already.`)
    await revoke(work, key.id)
    return key.name
  })
