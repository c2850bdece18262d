import { nameOf, type PermissionName } from '@limber/contract/access/permissions.ts'
import { checkSession, type Session, signOut } from '@limber/contract/access/sessions/session.ts'
import type { Guard } from '@limber/contract/kit/call.ts'
import { setCompanyTime } from '@limber/contract/kit/company-time.ts'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { onSessionProblem, send } from '../api/api.ts'
import { CallFailure } from '../api/call-failure.ts'
import { watchAttendance } from '../live/attendance.ts'
import { closeLive, openLive, useLiveRefresh } from '../live/live.ts'
import { keepLasting } from '../preferences.ts'
import { discardReturnLink } from '../routing/return-link.ts'

export type { Session }

async function readSession({ signal }: { signal: AbortSignal }): Promise<Session | null> {
  try {
    const session = await send(checkSession, {}, { signal })
    setCompanyTime(session.company)
    return session
  } catch (error) {
    if (error instanceof CallFailure && error.status === 401) return null
    throw error
  }
}

/** The current session; null when no one is signed in. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 })

/** What a screen requires: one permission, one of several, or just a session. */
export type Needs = Exclude<Guard, 'public' | 'attempt'>

/** True when the session has the permission. Codes can be numbers or strings of digits. */
export function hasAccess(session: Session | null | undefined, needs: Needs): boolean {
  if (!session) return false
  if (needs === 'signed-in') return true
  const wanted: readonly PermissionName[] = typeof needs === 'string' ? [needs] : needs
  return session.worker.permissions.some((code) => {
    const name = nameOf(code)
    return name !== undefined && wanted.includes(name)
  })
}

const SessionContext = createContext<Session | null>(null)

/** Provides the session to signed-in screens. */
export const SessionProvider = SessionContext.Provider

/** The session of the signed-in worker. Only for components inside the shell. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession is only for signed-in screens')
  return session
}

/** True when the signed-in worker has the permission. Only decides what is shown; the server checks again. */
export function useCan(needs: Needs): boolean {
  const { data } = useQuery(sessionQuery)
  return hasAccess(data, needs)
}

/** Shows its children to people with the permission. */
export function Can({ permission, children }: { permission: Needs; children: ReactNode }) {
  return useCan(permission) ? children : null
}

/** Signs out locally and removes all cached data. */
function clearSession(cache: QueryClient): void {
  cache.setQueryData(sessionQuery.queryKey, null)
  cache.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] })
}

/** Ends the session on the server, then in this browser. */
export function useSignOut() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => keepLasting(() => send(signOut, { body: {} })),
    onSuccess: () => {
      discardReturnLink()
      clearSession(cache)
    },
  })
}

/** Keeps the session in sync: ends it when the server ended it, refetches it when permissions may have changed. */
export function SessionWatcher({ onEnded }: { onEnded: () => void }) {
  const cache = useQueryClient()
  const { data } = useQuery(sessionQuery)
  const isSignedIn = Boolean(data)

  useEffect(
    () =>
      onSessionProblem((call, status) => {
        const { queryKey } = sessionQuery
        if (!cache.getQueryData(queryKey)) return
        // A call in flight during a step-up can carry the old session cookie, so only checkSession decides.
        if (call !== checkSession || status !== 401) {
          return void cache.invalidateQueries({ queryKey }, { cancelRefetch: false })
        }
        onEnded()
        clearSession(cache)
      }),
    [cache, onEnded],
  )

  useEffect(() => {
    if (!isSignedIn) return
    openLive()
    const unwatch = watchAttendance()
    return () => {
      unwatch()
      closeLive()
    }
  }, [isSignedIn])

  useLiveRefresh('session', sessionQuery.queryKey)
  useLiveRefresh('company', sessionQuery.queryKey)
  return null
}
