import type { PublicScreen } from '#platform/routing/sections.ts'

export const publicScreens: readonly PublicScreen[] = [
  { path: '/onboarding', load: () => import('./onboarding/onboarding.screen.tsx') },
  { path: '/recovery', load: () => import('./recovery/recovery.screen.tsx') },
  { path: '/sample-door', load: () => import('./sign-in/sample-sign-in.screen.tsx') },
]
