import { IconSchool } from '@tabler/icons-react'
import type { Area, PaletteSource, Section } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/managing/training': typeof import('./training-search.ts').TrainingSearch
  }
}

const sections: readonly Section[] = [
  {
    tab: 'worker',
    page: 'managing',
    title: 'Training Management',
    path: '/worker/managing/training',
    icon: IconSchool,
    permission: 'training.manage',
    order: 40,
    load: () => import('./training.screen.tsx'),
  },
]

const paletteSources: readonly PaletteSource[] = [
  {
    id: 'courses',
    title: 'Courses',
    permission: 'training.manage',
    find: async (text, signal) => (await import('./palette-search.ts')).findCourses(text, signal),
  },
]

export const trainingArea: Area = { sections, paletteSources }
