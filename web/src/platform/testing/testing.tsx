import { codeOf, type PermissionName, permissionNames } from '@limber/contract/access/permissions.ts'
import { checkSession, type Session } from '@limber/contract/access/sessions/session.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { DEFAULT_TIME } from '@limber/contract/kit/company-time.ts'
import { useQuery } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { now } from '#platform/clock.ts'
import { Providers } from '#ui/theme/providers.tsx'
import { makeQueryClient } from '../api/query-client.ts'
import { parseSearch, stringifySearch } from '../routing/search.ts'
import { SessionProvider, SessionWatcher, sessionQuery } from '../session/session.tsx'
import { FakeServer } from './testing.server.ts'

export { FakeEventSource } from './testing.live.ts'
export { FakeServer, Refusal } from './testing.server.ts'

/** A signed-in worker with the given permissions, or with all of them. */
export const makeSession = (
  permissions: readonly PermissionName[] = permissionNames,
  more: Partial<Session> = {},
): Session => ({
  worker: { permissions: permissions.map(codeOf), name: 'Priya Raman', email: 'priya.raman@example.com', role: null },
  workerId: 7,
  steppedUpUntil: null,
  isSample: false,
  hasMailServer: true,
  company: { name: 'Coastline Stretch', ...DEFAULT_TIME, logo: null, mapStart: null },
  ...more,
})

interface Options {
  server?: FakeServer
  /** The signed-in worker; null when signed out. */
  session?: Session | null
  /** The path of the screen, with its search parameters. */
  path?: string
}

function WithSession({ children }: { children: ReactNode }) {
  const { data = null } = useQuery(sessionQuery)
  return <SessionProvider value={data}>{children}</SessionProvider>
}

/** A date as screens show it: without the year if it is the current one. */
export const withoutCurrentYear = (text: string) => text.replaceAll(`, ${companyDay(now()).slice(0, 4)}`, '')

/** Renders a screen with providers, an in-memory router and a fake server. */
export async function renderScreen(
  screen: ReactNode,
  { server = new FakeServer(), session = makeSession(), path = '/' }: Options = {},
) {
  if (session) server.answer(checkSession, session)
  server.install()
  const cache = makeQueryClient()
  cache.setQueryData(sessionQuery.queryKey, session)
  const root = createRootRoute()
  const pathname = path.split('?')[0] ?? '/'
  const here = createRoute({
    getParentRoute: () => root,
    path: pathname,
    component: () => <WithSession>{screen}</WithSession>,
  })
  const elsewhere = createRoute({ getParentRoute: () => root, path: '$', component: () => <p>Elsewhere</p> })
  const router = createRouter({
    routeTree: root.addChildren([here, elsewhere]),
    history: createMemoryHistory({ initialEntries: [path] }),
    parseSearch,
    stringifySearch,
  })
  await router.load()
  const user = userEvent.setup()
  const view = render(
    <Providers cache={cache}>
      <SessionWatcher onEnded={() => undefined} />
      <RouterProvider router={router} />
    </Providers>,
  )
  return { ...view, user, server, cache, router }
}
