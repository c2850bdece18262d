import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { replacePath, usePathname } from '#platform/routing/pathname.ts'
import { clearReturnLink, returnLink, saveReturnLink } from '#platform/routing/return-link.ts'
import type { Section } from '#platform/routing/sections.ts'
import { type Session, SessionProvider, SessionWatcher, sessionQuery } from '#platform/session/session.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import styles from './app-root.module.css'
import { isAt } from './path.ts'
import { publicScreens } from './public-screens.ts'

const loadApp = () => import('./app.tsx')
const App = lazy(loadApp)
const SignIn = lazy(() => import('#access/sign-in/sign-in.screen.tsx'))
const publicRoutes: readonly { path: string; Screen: ComponentType }[] = publicScreens.map(({ path, load }) => ({
  path,
  Screen: lazy(load),
}))

const ENDED = 'limber.session-ended'
const markSessionEnded = () => sessionStorage.setItem(ENDED, '1')

/** Loads the app early when the browser is probably signed in. */
export const preloadApp = () => void loadApp()

function Centered({ children }: { children: ReactNode }) {
  return <main className={styles.middle}>{children}</main>
}

function Unreachable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Centered>
      <FailureView title="Couldn't reach Limber" error={error} onRetry={onRetry} />
    </Centered>
  )
}

/** `/redirect`: opened after sign-in. The cached session is stale, so it is fetched again first. */
function Redirect() {
  const cache = useQueryClient()
  useEffect(() => {
    void cache.refetchQueries({ queryKey: sessionQuery.queryKey }).then(() => replacePath('/'))
  }, [cache])
  return null
}

function SignedOut() {
  useEffect(() => {
    saveReturnLink(location.pathname + location.search + location.hash)
    replacePath('/')
  }, [])
  return null
}

/** Restores the link that was requested before sign-in. */
function Restore({ link }: { link: string }) {
  useEffect(() => replacePath(link), [link])
  return null
}

function SignedIn({ session, sections }: { session: Session; sections: readonly Section[] | undefined }) {
  useEffect(() => {
    sessionStorage.removeItem(ENDED)
    clearReturnLink()
  }, [])
  const { timeZone, weekStartsOn } = session.company
  return (
    <SessionProvider value={session}>
      <Suspense fallback={<div className={styles.bar} />}>
        {/* Everything is written anew after a change of the time zone. */}
        <App key={`${timeZone} ${weekStartsOn}`} {...(sections ? { sections } : {})} />
      </Suspense>
    </SessionProvider>
  )
}

function CurrentScreen({ sections }: { sections: readonly Section[] | undefined }) {
  const pathname = usePathname()
  const query = useQuery(sessionQuery)
  const session = query.data
  const route = publicRoutes.find(({ path }) => isAt(path, pathname))
  if (route) return <route.Screen />
  if (isAt('/redirect', pathname)) return <Redirect />
  if (session) {
    const link = pathname === '/' ? returnLink() : undefined
    return link ? <Restore link={link} /> : <SignedIn session={session} sections={sections} />
  }
  if (session === undefined && query.isError) {
    return <Unreachable error={query.error} onRetry={() => void query.refetch()} />
  }
  if (session === null)
    return pathname === '/' ? <SignIn hasEnded={sessionStorage.getItem(ENDED) === '1'} /> : <SignedOut />
  return (
    <Centered>
      <p className={styles.checking} role="status">
        Checking authentication
      </p>
    </Centered>
  )
}

/**
 * The entry point: public screens, sign-in at `/`, and the app for signed-in people. The router loads with the app, so
 * that the sign-in page stays small.
 */
export function AppRoot({ sections }: { sections?: readonly Section[] }) {
  return (
    <>
      <SessionWatcher onEnded={markSessionEnded} />
      <Suspense>
        <CurrentScreen sections={sections} />
      </Suspense>
    </>
  )
}
