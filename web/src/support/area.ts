import {
  IconAlarm,
  IconBell,
  IconBulb,
  IconChartBar,
  IconLifebuoy,
  IconMail,
  IconMailbox,
  IconMessages,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { Area, PaletteSource, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/support/tickets': typeof import('./tickets/ticket-search.ts').TicketSearch
    '/support/users': typeof import('./customers/user-search.ts').UserSearch
    '/support/email-logs': typeof import('./email-log/email-search.ts').EmailSearch
    '/support/suggestions': typeof import('./suggestions/suggestion-search.ts').SuggestionSearch
    '/worker/managing/users': typeof import('./customers/user-search.ts').UserSearch
    '/support/texts': typeof import('./texts/text-search.ts').TextSearch
    '/support/notifications': typeof import('./notifications/notifications.screen.tsx').Search
    '/support/mailboxes': NoSearch
    '/support/assignment': NoSearch
    '/support/promises': NoSearch
    '/support/report': typeof import('./report/report-search.ts').ReportSearch
  }
}

const support = { tab: 'support', page: 'support' } as const

const sections: readonly Section[] = [
  {
    ...support,
    title: 'Support Tickets',
    path: '/support/tickets',
    icon: IconLifebuoy,
    permission: 'tickets.handle',
    order: 10,
    load: () => import('./tickets/tickets.screen.tsx'),
    below: () => import('./queues/queue-nav.tsx'),
  },
  {
    ...support,
    title: 'User Overview',
    path: '/support/users',
    icon: IconUsers,
    permission: 'users.overview',
    order: 20,
    load: () => import('./customers/user-overview.screen.tsx'),
  },
  {
    ...support,
    title: 'Email Logs',
    path: '/support/email-logs',
    icon: IconMail,
    permission: 'support.tab',
    order: 30,
    load: () => import('./email-log/email-logs.screen.tsx'),
  },
  {
    ...support,
    title: 'Knowledge Base Suggestions',
    path: '/support/suggestions',
    icon: IconBulb,
    permission: 'kb.suggest',
    order: 60,
    load: () => import('./suggestions/suggestions.screen.tsx'),
  },
  {
    tab: 'worker',
    page: 'managing',
    title: 'User directory',
    path: '/worker/managing/users',
    icon: IconUsers,
    permission: 'users.directory',
    order: 60,
    load: () => import('./customers/user-directory.screen.tsx'),
  },
  {
    ...support,
    title: 'Text messages',
    path: '/support/texts',
    icon: IconMessages,
    permission: 'support.tab',
    order: 40,
    load: () => import('./texts/texts.screen.tsx'),
  },
  {
    ...support,
    title: 'Notifications',
    path: '/support/notifications',
    icon: IconBell,
    permission: 'notifications.view',
    order: 50,
    load: () => import('./notifications/notifications.screen.tsx'),
  },
  {
    ...support,
    title: 'Assignment',
    path: '/support/assignment',
    icon: IconUsersGroup,
    permission: 'tickets.handle',
    order: 65,
    load: () => import('./assignment/assignment.screen.tsx'),
  },
  {
    ...support,
    title: 'Support report',
    path: '/support/report',
    icon: IconChartBar,
    permission: 'tickets.handle',
    order: 66,
    load: () => import('./report/report.screen.tsx'),
  },
  {
    ...support,
    title: 'Mailboxes',
    path: '/support/mailboxes',
    icon: IconMailbox,
    permission: 'notifications.send',
    order: 70,
    load: () => import('./mailboxes/mailboxes.screen.tsx'),
  },
  {
    ...support,
    title: 'Promises',
    path: '/support/promises',
    icon: IconAlarm,
    permission: 'notifications.send',
    order: 80,
    load: () => import('./promises/promises.screen.tsx'),
  },
]

const paletteSources: readonly PaletteSource[] = [
  {
    id: 'tickets',
    title: 'Tickets',
    permission: 'tickets.handle',
    find: async (text, signal) => (await import('./tickets/ticket-palette.ts')).findTickets(text, signal),
  },
  {
    id: 'people',
    title: 'People',
    permission: ['users.overview', 'users.directory'],
    // Loaded with the first search, not with the shell.
    find: async (text, signal, session) =>
      (await import('./customers/customer-palette.ts')).findPeople(text, signal, session),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'tickets.mine',
    what: 'your tickets',
    permission: 'tickets.handle',
    group: 'needs',
    topic: 'tickets',
    // Loaded with the Today panel, not with the shell.
    find: async (signal) => (await import('./tickets/ticket-today.ts')).findMyWork(signal),
  },
  {
    id: 'tickets.due',
    what: 'tickets that are soon due',
    permission: 'notifications.send',
    group: 'needs',
    find: async (signal) => (await import('./tickets/ticket-today.ts')).findDueTickets(signal),
  },
  {
    id: 'tickets.numbers',
    what: 'numbers of tickets',
    permission: 'tickets.handle',
    group: 'numbers',
    find: async (signal) => (await import('./tickets/ticket-today.ts')).findQueueNumbers(signal),
  },
]

export const supportArea: Area = { sections, paletteSources, todaySources }
