import {
  RECOVERY_REDEEMED,
  RECOVERY_REQUESTED,
  redeemRecoveryCode,
  requestRecovery,
} from '@limber/contract/access/recovery.ts'
import { countTry } from '#platform/limits.ts'
import { serve } from '#platform/routes.ts'
import { accessMails } from './mails.ts'
import { sendLink } from './onboarding-link.ts'
import { insertRecoveryRequest, takeRecoveryCode } from './recovery.queries.ts'
import { MOST_REDEEMS, MOST_REQUESTS } from './recovery.rules.ts'
import { findActiveByEmail, listAccessManagers } from './worker.queries.ts'

const A_DAY = 24 * 60 * 60
const ACCEPTED = 202

export const recoveryRoutes = [
  serve(requestRecovery, async ({ body, db, now, audit, post, live, request, reply, services }) => {
    const key = `recovery ${services.keyring.sign('sign-in user', body.email)}`
    const { isOver } = await countTry(db, key, MOST_REQUESTS, A_DAY, now)
    const person = await findActiveByEmail(db, body.email)
    const managers = await listAccessManagers(db, person?.id ?? 0)
    const reason = isOver ? 'requests' : person ? undefined : 'unknown_address'
    if (person && !isOver) {
      const { id } = await insertRecoveryRequest(db, person.id, request.address, now)
      post(accessMails.recoveryAsked(id, person))
      const page = `${services.config.publicUrl}/`
      for (const manager of managers) post(accessMails.recoveryToDecide(id, person, manager, page))
      live('access', { about: person.id })
    }
    audit({
      action: 'recovery_requested',
      outcome: reason ? 'refused' : 'done',
      subject: 'worker',
      ...(reason && { reason }),
      ...(person && { subjectId: person.id }),
    })
    reply.status(ACCEPTED)
    return { success: true as const, message: RECOVERY_REQUESTED }
  }),

  serve(redeemRecoveryCode, async (context) => {
    const { body, db, now, audit, post, reply, services } = context
    const key = `redeem ${services.keyring.sign('sign-in user', body.email)}`
    const { isOver } = await countTry(db, key, MOST_REDEEMS, A_DAY, now)
    const person = await findActiveByEmail(db, body.email)
    const code = isOver ? undefined : await takeRecoveryCode(db, person?.id ?? null, body.code, now)
    if (person && code) {
      post(accessMails.recoveryCodeUsed(code.id, person))
      await sendLink(context, person, 'recovery', services.config)
      audit({ action: 'recovery_code_used', subject: 'worker', subjectId: person.id, workerId: person.id })
    } else {
      const reason = isOver ? 'redeems' : person ? 'recovery_code' : 'unknown_address'
      audit({
        action: 'recovery_code_refused',
        outcome: 'refused',
        reason,
        subject: 'worker',
        ...(person && { subjectId: person.id }),
      })
    }
    reply.status(ACCEPTED)
    return { success: true as const, message: RECOVERY_REDEEMED }
  }),
]
