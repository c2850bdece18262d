import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { keepReturnLink, takeReturnLink } from '#platform/return-link.ts'
import { SessionKeeper, sessionQuery } from '#platform/session.tsx'
import { FailureView } from '#ui/failure-view.tsx'
import styles from './gate.module.css'
import { landingOf, visibleTabs } from './navigation.ts'
import { useSections } from './section-registry.ts'

const Shell = lazy(() => import('./shell.tsx'))
const SignIn = lazy(() => import('#access/sign-in.screen.tsx'))

const ENDED = 'limber.session-ended'
const PROFILE = '/dashboard/worker-profile'

/** The outermost component: what every screen stands in. */
export function Root() {
  return (
    <>
      <SessionKeeper onEnded={noteEnd} />
      <Outlet />
    </>
  )
}

function noteEnd(): void {
  sessionStorage.setItem(ENDED, '1')
}

function Unreachable() {
  const query = useQuery(sessionQuery)
  return (
    <main className={styles.middle}>
      <FailureView
        title="Limber cannot be reached"
        error={query.error}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    </main>
  )
}

/** `/`: the sign-in page, or the first tab of whoever is signed in. */
export function Home() {
  const { data: session, isError } = useQuery(sessionQuery)
  if (session === undefined) return isError ? <Unreachable /> : null
  if (session) return <Restore />
  const hasEnded = sessionStorage.getItem(ENDED) === '1'
  return (
    <Suspense>
      <SignIn hasEnded={hasEnded} />
    </Suspense>
  )
}

/** Where a sign-in ends: at the link that was asked for, or at the first tab. */
export function Restore() {
  const { data: session } = useQuery(sessionQuery)
  const { history } = useRouter()
  const sections = useSections()
  useEffect(() => {
    if (!session) return
    sessionStorage.removeItem(ENDED)
    const [first] = visibleTabs(session)
    history.replace(takeReturnLink() ?? (first ? landingOf(session, first, sections) : PROFILE))
  }, [session, sections, history])
  return null
}

/** `/redirect`: what a sign-in leads to. It knows more than the cache does, so the session is read again first. */
export function Redirect() {
  const cache = useQueryClient()
  const { history } = useRouter()
  useEffect(() => {
    void cache.refetchQueries({ queryKey: sessionQuery.queryKey }).then(() => history.replace('/'))
  }, [cache, history])
  return null
}

/** Every other path: only for those who are signed in. */
export function RequireSession() {
  const { data: session, isError } = useQuery(sessionQuery)
  const { href } = useLocation()
  if (session) {
    return (
      <Suspense fallback={<div className={styles.bar} />}>
        <Shell />
      </Suspense>
    )
  }
  if (session === null) return <SignedOut from={href} />
  if (isError) return <Unreachable />
  return (
    <main className={styles.middle}>
      <p role="status">Checking authentication</p>
    </main>
  )
}

function SignedOut({ from }: { from: string }) {
  useEffect(() => keepReturnLink(from), [from])
  return <Navigate to="/" replace />
}
