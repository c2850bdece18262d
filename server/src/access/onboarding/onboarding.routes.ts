import {
  confirmMfa,
  enableMultiDevice,
  finalizeOnboarding,
  finishOnboardingPasskey,
  setMfa,
  startOnboardingPasskey,
  verifyOnboarding,
} from '@limber/contract/access/onboarding/onboarding.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { Work } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { countTry } from '#platform/security/limits.ts'
import { accessMails } from '../mails.ts'
import { consumeChallenges, insertPasskey, issueChallenge } from '../passkeys/passkey.queries.ts'
import { checkRegistration, creationOptions } from '../passkeys/passkey.rules.ts'
import { closeOtherRequests, replaceRecoveryCodes } from '../recovery/recovery.queries.ts'
import { makeRecoveryCodes } from '../recovery/recovery.rules.ts'
import { describeBrowser } from '../sign-in/attempt.rules.ts'
import { partyOf } from '../sign-in/sign-in-step.ts'
import { makeTotpSecret, matchTotp, totpUri } from '../sign-in/totp.rules.ts'
import { listAccessManagers } from '../workers/worker.queries.ts'
import { completeLink, findLink, type Link, updateLink } from './onboarding.queries.ts'
import { invalidLinkReason, MAX_CODE_TRIES, mayAddPasskey, progressOf } from './onboarding.rules.ts'

type LinkCall = CallDefinition & { refusals: { bad_link: readonly [number, string] } }

const MAX_REGISTRATIONS_PER_DAY = 20
const DAY_SECONDS = 24 * 60 * 60

/** The valid link of a token. Every other case gets the same refusal. */
async function openLink({ db, now, audit }: Work, call: LinkCall, token: string): Promise<Link> {
  const link = await findLink(db, token)
  const reason = invalidLinkReason(link, now)
  if (link && !reason) return link
  audit({ action: 'onboarding_refused', outcome: 'refused', reason: reason ?? 'unknown_link', subject: 'onboarding' })
  throw refuse(call, 'bad_link', { reason: reason ?? 'unknown_link', keepsWrites: true })
}

const about = (link: Link) => ({ subject: 'onboarding' as const, subjectId: link.id, workerId: link.worker_id })
const after = (link: Link, change: Partial<Link>) => ({ success: true as const, ...progressOf({ ...link, ...change }) })

export const onboardingRoutes = [
  serve(verifyOnboarding, async (context) => {
    const link = await openLink(context, verifyOnboarding, context.body.token)
    const { name, email, passkeys } = link
    const isRecovery = link.purpose === 'recovery'
    const message = 'The link is valid. Continue with the next step.'
    return { ...progressOf(link), message, name, email, isRecovery, passkeys: passkeys.length }
  }),

  serve(startOnboardingPasskey, async (context) => {
    const { body, db, now, services } = context
    const link = await openLink(context, startOnboardingPasskey, body.token)
    if (!mayAddPasskey(link)) throw refuse(startOnboardingPasskey, 'has_passkey')
    const { isOver, retryAfter } = await countTry(
      db,
      `register passkey ${link.worker_id}`,
      MAX_REGISTRATIONS_PER_DAY,
      DAY_SECONDS,
      now,
    )
    if (isOver) throw refuse(startOnboardingPasskey, 'slow_down', { retryAfter, keepsWrites: true })
    const challenge = await issueChallenge(db, `link:${link.id}`, 'create', now)
    return { options: creationOptions(challenge, partyOf(services.config), link, link.passkeys) }
  }),

  serve(finishOnboardingPasskey, async (context) => {
    const { body, db, now, audit, request, services } = context
    const call = finishOnboardingPasskey
    const link = await openLink(context, call, body.token)
    if (!mayAddPasskey(link)) throw refuse(call, 'has_passkey')
    const challenges = await consumeChallenges(db, `link:${link.id}`, 'create', now)
    const verdict = await checkRegistration(body.credential, challenges, partyOf(services.config))
    const owner = { workerId: link.worker_id, linkId: link.id, name: describeBrowser(request.browser) }
    const made = verdict.ok ? await insertPasskey(db, verdict.value, owner, now) : undefined
    if (!made) {
      const reason = verdict.ok ? 'credential_taken' : verdict.reason
      audit({ action: 'onboarding_refused', outcome: 'refused', reason, ...about(link) })
      throw refuse(call, 'passkey_failed', { reason, keepsWrites: true })
    }
    audit({ action: 'passkey_set_up', ...about(link) })
    return after(link, { passkeys: [...link.passkeys, { credential_id: Buffer.alloc(0), transports: [] }] })
  }),

  serve(setMfa, async (context) => {
    const { body, db, audit, services } = context
    const link = await openLink(context, setMfa, body.token)
    if (link.passkeys.length === 0) throw refuse(setMfa, 'passkey_first')
    if (link.totp_confirmed_at) throw refuse(setMfa, 'has_2fa')
    // A secret is shown once. Another request replaces it, and the scanned one stops working.
    const secret = makeTotpSecret()
    await updateLink(db, link.id, { totp_secret: services.keyring.seal('totp', secret), totp_tries: 0 })
    audit({ action: 'two_factor_secret_made', ...about(link) })
    const { toDataURL } = await import('qrcode')
    return { mfa: { qrCodeDataURL: await toDataURL(totpUri(secret, link.email)), secret } }
  }),

  serve(confirmMfa, async (context) => {
    const { body, db, now, audit, services } = context
    const link = await openLink(context, confirmMfa, body.token)
    if (link.totp_confirmed_at) throw refuse(confirmMfa, 'has_2fa')
    if (!link.totp_secret) throw refuse(confirmMfa, 'no_secret')
    const step = matchTotp(services.keyring.open('totp', link.totp_secret), body.code, now)
    if (step === undefined) {
      const tries = link.totp_tries + 1
      await updateLink(db, link.id, { totp_tries: tries, ...(tries >= MAX_CODE_TRIES && { totp_secret: null }) })
      audit({ action: 'onboarding_refused', outcome: 'refused', reason: 'totp', ...about(link) })
      throw refuse(confirmMfa, 'wrong_code', { reason: 'totp', keepsWrites: true })
    }
    await updateLink(db, link.id, { totp_confirmed_at: now, totp_last_step: step })
    audit({ action: 'two_factor_confirmed', ...about(link) })
    return after(link, { totp_confirmed_at: now })
  }),

  serve(enableMultiDevice, async (context) => {
    const { body, db, now, audit } = context
    const link = await openLink(context, enableMultiDevice, body.token)
    if (!link.totp_confirmed_at) throw refuse(enableMultiDevice, 'two_factor_first')
    if (!link.multi_device_at) await updateLink(db, link.id, { multi_device_at: now })
    audit({ action: 'multi_device_enabled', ...about(link) })
    return after(link, { multi_device_at: link.multi_device_at ?? now })
  }),

  serve(finalizeOnboarding, async (context) => {
    const { body, db, now, audit, enqueue, publish } = context
    const link = await openLink(context, finalizeOnboarding, body.token)
    const workerId = await completeLink(db, link.id, now)
    if (workerId === undefined) throw refuse(finalizeOnboarding, 'not_finished')
    const codes = makeRecoveryCodes()
    await replaceRecoveryCodes(db, workerId, codes, now)
    const person = { id: workerId, email: link.email, name: link.name }
    const readers = link.purpose === 'recovery' ? [person, ...(await listAccessManagers(db, workerId))] : []
    for (const reader of readers) enqueue(accessMails.recovered(link.id, person, reader))
    // Open recovery requests are obsolete now.
    await closeOtherRequests(db, workerId, null, now)
    audit({ action: link.purpose === 'invite' ? 'onboarded' : 'access_recovered', ...about(link) })
    publish('session', { workerId })
    publish('access', { about: workerId })
    return { worker: { id: workerId, role: link.role }, recoveryCodes: codes }
  }),
]
