import { nameOf, type PermissionName } from '@limber/contract/access/permissions.ts'
import { checkSession, type Session, signOut } from '@limber/contract/access/sessions/session.ts'
import type { Guard } from '@limber/contract/kit/call.ts'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { onSessionProblem, send } from '../api/api.ts'
import { CallFailure } from '../api/call-failure.ts'
import { watchAttendance } from '../live/attendance.ts'
import { closeLive, openLive, useLiveRefresh } from '../live/live.ts'
import { readPreference, savePreference } from '../preferences.ts'
import { discardReturnLink } from '../routing/return-link.ts'

export type { Session }

async function readSession({ signal }: { signal: AbortSignal }): Promise<Session | null> {
  try {
    return await send(checkSession, {}, { signal })
  } catch (error) {
    if (error instanceof CallFailure && error.status === 401) return null
    throw error
  }
}

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 })

/** The permission that a place asks for: one, one of several, or only to be signed in. */
export type Needs = Exclude<Guard, 'public' | 'attempt'>

/** Does this session open a place? A code given as a number and its digits are the same permission. */
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

/** Hands the session to what is shown inside; it is there as long as they are. */
export const SessionProvider = SessionContext.Provider

/** The session of the signed-in worker; only for what is shown inside the shell. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession is for signed-in screens')
  return session
}

/** May the signed-in worker do this? The server asks again; this only decides what is shown. */
export function useCan(needs: Needs): boolean {
  const { data } = useQuery(sessionQuery)
  return hasAccess(data, needs)
}

/** Shows its children to those who hold the permission. */
export function Can({ permission, children }: { permission: Needs; children: ReactNode }) {
  return useCan(permission) ? children : null
}

/** Nobody is signed in any more, and nothing that was read for them stays. */
function clearSession(cache: QueryClient): void {
  cache.setQueryData(sessionQuery.queryKey, null)
  cache.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] })
}

/** Ends the session on the server, then here. */
export function useSignOut() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const theme = readPreference('theme')
      await send(signOut, { body: {} })
      // The server has this browser empty its storage; how bright the screen is tells nobody anything.
      if (theme) savePreference('theme', theme)
    },
    onSuccess: () => {
      discardReturnLink()
      clearSession(cache)
    },
  })
}

/** Keeps the session true: ends it here when the server ended it, reads it again when rights may have changed. */
export function SessionWatcher({ onEnded }: { onEnded: () => void }) {
  const cache = useQueryClient()
  const { data } = useQuery(sessionQuery)
  const isSignedIn = Boolean(data)

  useEffect(
    () =>
      onSessionProblem((call, status) => {
        const { queryKey } = sessionQuery
        if (!cache.getQueryData(queryKey)) return
        // Another call may have travelled with the secret of before a step-up: only this one tells that all is over.
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
  return null
}
