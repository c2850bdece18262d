import { approveRecovery, denyRecovery, type RecoveryRequest } from '@limber/contract/access/workers/worker.ts'
import { send } from '#platform/api/api.ts'
import type { Session } from '#platform/session/session.tsx'
import { act } from '#ui/feedback/act.ts'
import { toast } from '#ui/feedback/toast-store.ts'

const READ_MAIL = 'npm run limber -- mail'

const questions = {
  approve: ({ worker }: RecoveryRequest, hasMailServer: boolean) => ({
    title: `Approve recovery for ${worker.name}?`,
    body: `Speak to ${worker.name} in person or by phone first. ${hasMailServer ? `A new onboarding link goes to ${worker.email}.` : `A new onboarding link is created. Your administrator can see it with ${READ_MAIL}.`} Their old passkeys and sessions end when they finish. You confirm with your passkey.`,
    action: 'Approve',
  }),
  deny: ({ worker }: RecoveryRequest, hasMailServer: boolean) => ({
    title: `Deny recovery for ${worker.name}?`,
    body: `${hasMailServer ? 'Everyone involved gets an email. ' : ''}They can ask again.`,
    action: 'Deny',
    isDestructive: true,
  }),
}

/** Asks, then approves or denies a request. */
export function decideRecovery(
  request: RecoveryRequest,
  isApproved: boolean,
  { hasMailServer }: Pick<Session, 'hasMailServer'>,
): Promise<boolean> {
  const approved = hasMailServer
    ? `Recovery approved. A link is on its way to ${request.worker.email}.`
    : `Recovery approved. To see the link, run ${READ_MAIL}`
  return act(
    () => send(isApproved ? approveRecovery : denyRecovery, { params: { id: String(request.id) }, body: {} }),
    {
      ask: questions[isApproved ? 'approve' : 'deny'](request, hasMailServer),
      done: () => toast(isApproved ? approved : 'Recovery denied.'),
      failed: `Couldn't ${isApproved ? 'approve' : 'deny'} the recovery`,
    },
  )
}
