import type { Work } from '#platform/db/work.ts'
import { accessMails } from '../mails.ts'
import { revokeLinks } from '../onboarding/onboarding.queries.ts'
import { killAttemptsOf } from '../sign-in/attempt.queries.ts'
import type { WorkerRecord } from './worker.queries.ts'
import { updatePerson } from './worker-change.queries.ts'

type Change = { name: string; email: string }

/** Changes name and email of a locked worker, notifies both addresses, and revokes what was emailed to the old one. */
export async function correctPerson(
  { db, now, audit, enqueue, publish }: Pick<Work, 'db' | 'now' | 'audit' | 'enqueue' | 'publish'>,
  before: WorkerRecord,
  { name, email }: Change,
): Promise<void> {
  const { id, version } = before
  await updatePerson(db, id, { name, email, version })
  if (before.email !== email) {
    // Links and codes sent to the old address may be in the wrong hands.
    await killAttemptsOf(db, id, 'address_changed')
    await revokeLinks(db, id, now)
    enqueue(accessMails.oldAddressNotice(`${id}:${before.version}`, before))
    // An invited worker gets a new link instead.
    if (before.status !== 'invited')
      enqueue(accessMails.newAddressNotice(`${id}:${before.version}`, { id, name, email }))
  }
  audit({
    action: 'worker_corrected',
    subject: 'worker',
    subjectId: id,
    before: { name: before.name, email: before.email },
    after: { name, email },
  })
  publish('session', { workerId: id })
  publish('access', { about: id })
}
