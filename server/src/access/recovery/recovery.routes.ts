import { setTimeout } from 'node:timers/promises'
import {
  RECOVERY_REDEEMED,
  RECOVERY_REDEEMED_WITHOUT_MAIL,
  RECOVERY_REQUESTED,
  RECOVERY_REQUESTED_WITHOUT_MAIL,
  redeemRecoveryCode,
  requestRecovery,
} from '@limber/contract/access/recovery/recovery.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import { type Context, serve } from '#platform/http/routes.ts'
import { callerNetwork } from '#platform/security/client-address.ts'
import { countTry } from '#platform/security/limits.ts'
import { accessMails } from '../mails.ts'
import { sendLink } from '../onboarding/onboarding-link.ts'
import { findActiveByEmail, listAccessManagers } from '../workers/worker.queries.ts'
import { insertRecoveryRequest, takeRecoveryCode } from './recovery.queries.ts'
import { MAX_REDEEMS, MAX_REQUESTS } from './recovery.rules.ts'

const DAY_SECONDS = 24 * 60 * 60
const ACCEPTED = 202
/** The minimum response time in ms. Otherwise the time would reveal whether a request was filed. */
const MIN_RESPONSE_MS = 100

type PublicContext = Pick<Context, 'request' | 'services' | 'reply'>

/** Runs the work in its own transaction and responds after a fixed time, whatever happened. */
async function inConstantTime(
  { request, services, reply }: PublicContext,
  call: CallDefinition,
  work: (work: Work) => Promise<void>,
) {
  const due = setTimeout(MIN_RESPONSE_MS)
  const actor = { call: `${call.method} ${call.path}`, address: request.address, requestId: request.id }
  await runWork(services, actor, work)
  await due
  reply.status(ACCEPTED)
}

async function fileRequest(
  { db, now, audit, enqueue, publish }: Work,
  email: string,
  { request, services }: PublicContext,
) {
  const key = `recovery ${services.keyring.sign('sign-in user', email)}`
  const { isOver } = await countTry(db, key, MAX_REQUESTS, DAY_SECONDS, now)
  const person = await findActiveByEmail(db, email)
  const managers = await listAccessManagers(db, person?.id ?? 0)
  const reason = isOver ? 'requests' : person ? undefined : 'unknown_address'
  if (person && !isOver) {
    const { id } = await insertRecoveryRequest(db, person.id, request.address, now)
    enqueue(accessMails.recoveryAsked(id, person))
    const page = `${services.config.publicUrl}/worker/tech/access/recoveries`
    for (const manager of managers) enqueue(accessMails.recoveryToDecide(id, person, manager, page))
    publish('access', { about: person.id })
  }
  audit({
    action: 'recovery_requested',
    outcome: reason ? 'refused' : 'done',
    subject: 'worker',
    ...(reason && { reason }),
    ...(person && { subjectId: person.id }),
  })
}

async function redeem(
  work: Work,
  { email, code: typed }: { email: string; code: string },
  { request, services }: PublicContext,
) {
  const { db, now, audit, enqueue } = work
  // Limited per sender network. A code is too long to guess, and a stranger must not use up the worker's tries.
  const key = `redeem ${services.keyring.sign('sign-in user', email)} address:${callerNetwork(request.address)}`
  const { isOver } = await countTry(db, key, MAX_REDEEMS, DAY_SECONDS, now)
  const person = await findActiveByEmail(db, email)
  const code = isOver ? undefined : await takeRecoveryCode(db, person?.id ?? null, typed, now)
  const about = { subject: 'worker' as const, ...(person && { subjectId: person.id }) }
  if (!person || !code) {
    const reason = isOver ? 'redeems' : person ? 'recovery_code' : 'unknown_address'
    audit({ action: 'recovery_code_refused', outcome: 'refused', reason, ...about })
    return
  }
  enqueue(accessMails.recoveryCodeUsed(code.id, person))
  await sendLink(work, person, 'recovery', services.config)
  audit({ action: 'recovery_code_used', workerId: person.id, ...about })
}

function replyWith({ services }: PublicContext, byMail: string, withoutMail: string) {
  const hasMailServer = services.company.current().mail !== undefined
  return { success: true as const, message: hasMailServer ? byMail : withoutMail, hasMailServer }
}

export const recoveryRoutes = [
  serve(
    requestRecovery,
    async (context) => {
      await inConstantTime(context, requestRecovery, (work) => fileRequest(work, context.body.email, context))
      return replyWith(context, RECOVERY_REQUESTED, RECOVERY_REQUESTED_WITHOUT_MAIL)
    },
    { transaction: 'none' },
  ),
  serve(
    redeemRecoveryCode,
    async (context) => {
      await inConstantTime(context, redeemRecoveryCode, (work) => redeem(work, context.body, context))
      return replyWith(context, RECOVERY_REDEEMED, RECOVERY_REDEEMED_WITHOUT_MAIL)
    },
    { transaction: 'none' },
  ),
]
