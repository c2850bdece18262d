import {
  IconAdjustmentsHorizontal,
  IconArrowsExchange,
  IconCalendarStats,
  IconIdBadge2,
  IconListDetails,
  IconReceiptTax,
  IconReportMoney,
} from '@tabler/icons-react'
import type { Area, PaletteSource, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/financial/summary': typeof import('./lists/summary.screen.tsx').Search
    '/worker/financial/details': typeof import('./lists/details-search.ts').DetailsSearch
    '/worker/financial/transactions': typeof import('./lists/transactions.screen.tsx').Search
    '/worker/financial/settings': NoSearch
    '/worker/financial/tax-audit': typeof import('./audit/tax-audit-search.ts').TaxAuditSearch
    '/worker/financial/earners': typeof import('./earners/earners.screen.tsx').EarnersSearch
    '/worker/financial/periods': NoSearch
    '/worker/financial/w-2': typeof import('./files/wage-statements.screen.tsx').WageStatementSearch
    '/worker/managing/tax-audit': typeof import('./audit/tax-audit-search.ts').TaxAuditSearch
  }
}

const loadTaxAudit = () => import('./audit/tax-audit.screen.tsx')
const financial = { tab: 'worker', page: 'financial' } as const

const sections: readonly Section[] = [
  {
    ...financial,
    title: 'Payroll summary',
    path: '/worker/financial/summary',
    icon: IconReportMoney,
    permission: 'payroll.summary',
    order: 1,
    load: () => import('./lists/summary.screen.tsx'),
  },
  {
    ...financial,
    title: 'Payroll details',
    path: '/worker/financial/details',
    icon: IconListDetails,
    permission: 'payroll.details',
    order: 2,
    load: () => import('./lists/details.screen.tsx'),
  },
  {
    ...financial,
    title: 'Transactions',
    path: '/worker/financial/transactions',
    icon: IconArrowsExchange,
    permission: 'payroll.transactions',
    order: 3,
    load: () => import('./lists/transactions.screen.tsx'),
  },
  {
    ...financial,
    title: 'Settings',
    path: '/worker/financial/settings',
    icon: IconAdjustmentsHorizontal,
    permission: 'payroll.settings',
    order: 4,
    load: () => import('./settings/settings.screen.tsx'),
  },
  {
    ...financial,
    title: 'Tax audit',
    path: '/worker/financial/tax-audit',
    icon: IconReceiptTax,
    permission: 'payroll.audit',
    order: 5,
    load: loadTaxAudit,
  },
  {
    ...financial,
    title: 'Earners',
    path: '/worker/financial/earners',
    icon: IconIdBadge2,
    permission: ['payroll.details', 'payroll.audit'],
    order: 6,
    load: () => import('./earners/earners.screen.tsx'),
  },
  {
    ...financial,
    title: 'Pay periods',
    path: '/worker/financial/periods',
    icon: IconCalendarStats,
    permission: ['payroll.audit', 'payroll.details'],
    order: 7,
    load: () => import('./entries/periods.screen.tsx'),
  },
  {
    ...financial,
    title: 'W-2 preview',
    path: '/worker/financial/w-2',
    icon: IconReceiptTax,
    permission: 'payroll.details',
    order: 8,
    load: () => import('./files/wage-statements.screen.tsx'),
  },
  {
    tab: 'worker',
    page: 'managing',
    title: 'Tax audit',
    path: '/worker/managing/tax-audit',
    icon: IconReceiptTax,
    permission: 'payroll.audit',
    order: 10,
    load: loadTaxAudit,
  },
]

const paletteSources: readonly PaletteSource[] = [
  {
    id: 'earners',
    title: 'Earners',
    permission: ['payroll.details', 'payroll.audit'],
    // Loaded with the first search, not with the shell.
    find: async (text, signal) => (await import('./palette-search.ts')).findEarners(text, signal),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'payroll.discrepancies',
    what: 'tax discrepancies',
    permission: 'payroll.audit',
    group: 'needs',
    topic: 'payroll.audit',
    // Loaded with the Today panel, not with the shell.
    find: async (signal) => (await import('./today.ts')).findDiscrepancies(signal),
  },
  {
    id: 'payroll.periods',
    what: 'pay periods',
    permission: 'payroll.audit',
    group: 'needs',
    topic: 'payroll',
    find: async (signal) => (await import('./today.ts')).findOpenPeriods(signal),
  },
]

export const payrollArea: Area = { sections, paletteSources, todaySources }
