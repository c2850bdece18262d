import type { PublicScreen } from '#platform/routing/sections.ts'

export const publicScreens: readonly PublicScreen[] = [
  { path: '/verify/$shortId', load: () => import('./verify.screen.tsx') },
]
