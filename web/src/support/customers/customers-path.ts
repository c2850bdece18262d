import { opens, type Session } from '#platform/session/session.tsx'

/** Where this worker sees customers: in Support, or else in the Managing Admin Dashboard. */
export function customersPath(session: Session): '/support/users' | '/worker/managing/users' | undefined {
  if (opens(session, 'support.tab') && opens(session, 'users.overview')) return '/support/users'
  if (opens(session, 'worker.tab') && opens(session, 'users.directory')) return '/worker/managing/users'
  return undefined
}
