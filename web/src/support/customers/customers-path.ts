import { hasAccess, type Session } from '#platform/session/session.tsx'

/** Where this worker sees customers: in Support, or else in the Managing Admin Dashboard. */
export function customersPath(session: Session): '/support/users' | '/worker/managing/users' | undefined {
  if (hasAccess(session, 'support.tab') && hasAccess(session, 'users.overview')) return '/support/users'
  if (hasAccess(session, 'worker.tab') && hasAccess(session, 'users.directory')) return '/worker/managing/users'
  return undefined
}
