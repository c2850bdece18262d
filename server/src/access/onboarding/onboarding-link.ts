import type { Config } from '#platform/config.ts'
import type { Work } from '#platform/db/work.ts'
import { accessMails } from '../mails.ts'
import { issueLink } from './onboarding.queries.ts'

interface Person {
  id: number
  email: string
  name: string
}

/** Creates a link with the configured public URL. Earlier links stop working. */
export async function makeLink(
  { db, now }: Pick<Work, 'db' | 'now'>,
  workerId: number,
  purpose: 'invite' | 'recovery',
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Promise<{ id: number; link: string }> {
  const { id, token } = await issueLink(db, workerId, purpose, now)
  return { id, link: `${publicUrl}/onboarding?token=${token}` }
}

/** Creates a link and emails it to the address on file. */
export async function sendLink(
  { db, now, enqueue }: Pick<Work, 'db' | 'now' | 'enqueue'>,
  person: Person,
  purpose: 'invite' | 'recovery',
  config: Pick<Config, 'publicUrl'>,
): Promise<string> {
  const { id, link } = await makeLink({ db, now }, person.id, purpose, config)
  enqueue(purpose === 'invite' ? accessMails.invitation(id, person, link) : accessMails.recoveryLink(id, person, link))
  return link
}
