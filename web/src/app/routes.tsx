import { createRootRoute, createRoute, createRouter, lazyRouteComponent, type RouterHistory } from '@tanstack/react-router'
import type { PublicScreen, Section } from '#platform/sections.ts'
import { parseSearch, stringifySearch } from '#platform/search.ts'
import { publicScreens, sections as registered } from './areas.ts'
import { Home, Redirect, RequireSession, Root } from './gate.tsx'
import { SectionRegistry } from './section-registry.ts'
import { pages, tabs } from './tabs.ts'

const hasGallery = import.meta.env.DEV || import.meta.env.VITE_GALLERY === '1'

const gallery: PublicScreen = { title: 'Gallery', path: '/dev/gallery', load: () => import('./gallery.screen.tsx') }

/** URL to screen. The shell and every screen are fetched when they are first wanted. */
export function makeRouter(history?: RouterHistory, sections: readonly Section[] = registered) {
  const root = createRootRoute({
    component: () => (
      <SectionRegistry value={sections}>
        <Root />
      </SectionRegistry>
    ),
  })
  const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: RequireSession })

  const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
  const redirect = createRoute({ getParentRoute: () => root, path: '/redirect', component: Redirect })
  const screens = hasGallery ? [...publicScreens, gallery] : publicScreens
  const open = screens.map(({ path, load }) =>
    createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) }),
  )

  const frames = new Set<string>([...tabs, ...pages].map(({ path }) => path))
  for (const { path } of sections) frames.delete(path)
  const frame = lazyRouteComponent(() => import('./page-frame.screen.tsx'))
  const inside = [
    ...sections.map(({ path, load }) =>
      createRoute({ getParentRoute: () => shell, path, component: lazyRouteComponent(load) }),
    ),
    ...[...frames].map((path) => createRoute({ getParentRoute: () => shell, path, component: frame })),
    createRoute({
      getParentRoute: () => shell,
      path: '$',
      component: lazyRouteComponent(() => import('./not-found.tsx')),
    }),
  ]
  return createRouter({
    routeTree: root.addChildren([home, redirect, ...open, shell.addChildren(inside)]),
    defaultPreload: 'intent',
    defaultPreloadDelay: 30,
    // A screen that is there within this time is shown without a flash of its frame.
    defaultPendingMs: 150,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
    ...(history ? { history } : {}),
  })
}
