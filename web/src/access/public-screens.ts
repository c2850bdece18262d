import type { PublicScreen } from '#platform/routing/sections.ts'

export const publicScreens: readonly PublicScreen[] = [
  { path: '/onboarding', load: () => import('./onboarding.screen.tsx') },
  { path: '/recovery', load: () => import('./recovery.screen.tsx') },
  { path: '/sample-door', load: () => import('./sample-door.screen.tsx') },
]
