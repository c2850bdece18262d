import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '#platform/routing/search.ts'
import type { Section } from '#platform/routing/sections.ts'
import { useSession } from '#platform/session/session.tsx'
import { landingOf, visibleTabs } from './navigation.ts'
import { useSections } from './section-registry.ts'
import Shell from './shell/shell.tsx'
import { pages, tabs } from './tabs.ts'

/** `/`: the first visible tab, or My profile for a worker without tabs. */
function Home() {
  const session = useSession()
  const sections = useSections()
  const [first] = visibleTabs(session)
  return <Navigate to={first ? landingOf(session, first, sections) : '/dashboard/worker-profile'} replace />
}

/** Maps URLs to screens. A screen loads when it is first opened, or when its link is hovered. */
export function makeRouter(sections: readonly Section[]) {
  const root = createRootRoute({ component: Shell })
  const frames = new Set<string>([...tabs, ...pages].map(({ path }) => path))
  for (const { path } of sections) frames.delete(path)
  const frame = lazyRouteComponent(() => import('./page-frame.screen.tsx'))
  const notFound = lazyRouteComponent(() => import('./not-found.tsx'))

  const routes = [
    createRoute({ getParentRoute: () => root, path: '/', component: Home }),
    ...sections.map(({ path, load }) =>
      createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) }),
    ),
    ...[...frames].map((path) => createRoute({ getParentRoute: () => root, path, component: frame })),
    createRoute({ getParentRoute: () => root, path: '$', component: notFound }),
  ]
  return createRouter({
    routeTree: root.addChildren(routes),
    defaultPreload: 'intent',
    defaultPreloadDelay: 30,
    // A screen that loads within this time shows without an empty flash.
    defaultPendingMs: 150,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
  })
}
