import { IconLifebuoy } from '@tabler/icons-react'
import type { PaletteSource, Section, TodaySource } from '#platform/sections.ts'

const support = { tab: 'support', page: 'support' } as const

export const sections: readonly Section[] = [
  {
    ...support,
    title: 'Support Tickets',
    path: '/support/tickets',
    icon: IconLifebuoy,
    permission: 'tickets.handle',
    order: 10,
    load: () => import('./tickets.screen.tsx'),
  },
]

export const paletteSources: readonly PaletteSource[] = [
  {
    id: 'tickets',
    title: 'Tickets',
    permission: 'tickets.handle',
    find: async (text, signal) => (await import('./ticket-palette.ts')).findTickets(text, signal),
  },
]

export const todaySources: readonly TodaySource[] = [
  {
    id: 'tickets.mine',
    permission: 'tickets.handle',
    // Loaded with the Today panel, not with the shell.
    find: async (signal) => (await import('./ticket-today.ts')).findMyTickets(signal),
  },
]
