import { IconStretching } from '@tabler/icons-react'
import type { Area, PaletteSource, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/managing/stretchers': typeof import('./stretcher-search.ts').StretcherSearch
  }
}

const sections: readonly Section[] = [
  {
    tab: 'worker',
    page: 'managing',
    group: 'Practitioners & Partners',
    title: 'Stretcher Management',
    path: '/worker/managing/stretchers',
    icon: IconStretching,
    permission: 'businesses.manage',
    order: 51,
    load: () => import('./stretchers.screen.tsx'),
  },
]

const paletteSources: readonly PaletteSource[] = [
  {
    id: 'stretchers',
    title: 'Stretchers',
    permission: 'businesses.manage',
    find: async (text, signal) => (await import('./finders.ts')).findStretchers(text, signal),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'stretchers.not-certified',
    what: 'stretchers without certification',
    permission: 'businesses.manage',
    group: 'needs',
    topic: 'stretchers',
    // Loaded with the Today panel, not with the shell.
    find: async (signal) => (await import('./finders.ts')).findUncertified(signal),
  },
]

export const stretchersArea: Area = { sections, paletteSources, todaySources }
