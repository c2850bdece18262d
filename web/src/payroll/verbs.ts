import { IconCalendarCheck, IconCash, IconIdBadge2, IconReportMoney, IconSettings } from '@tabler/icons-react'
import { hrefDoing } from '#platform/routing/intent.ts'
import { hrefTo } from '#platform/routing/links.ts'
import { eachTo, type Verb } from '#platform/routing/verbs.ts'
import { findEarners } from './palette-search.ts'

const onEarner = eachTo(findEarners, (earner) => hrefTo('/worker/financial/earners', { earner }))

export const payrollVerbs: readonly Verb[] = [
  {
    id: 'earner-new',
    title: 'Add earner',
    permission: ['payroll.details', 'payroll.settings'],
    icon: IconIdBadge2,
    screen: '/worker/financial/earners',
    calls: ['POST /api/payroll/earners'],
    run: (go) => go(hrefDoing('/worker/financial/earners', 'new')),
  },
  {
    id: 'tax-profile',
    title: 'Change tax profile of…',
    words: 'w-4 filing status',
    permission: 'payroll.settings',
    icon: IconIdBadge2,
    screen: '/worker/financial/earners',
    calls: ['POST /api/payroll/earners/:id/profiles'],
    options: onEarner,
  },
  {
    id: 'entry-new',
    title: 'Add or cancel payroll entries',
    words: 'bonus mileage commission sick pay',
    permission: 'payroll.details',
    icon: IconCash,
    screen: '/worker/financial/details',
    calls: ['POST /api/payroll/details', 'POST /api/payroll/details/:id/cancel'],
    run: (go) => go(hrefTo('/worker/financial/details')),
  },
  {
    id: 'deposit-settle',
    title: 'Settle tax deposits',
    permission: 'payroll.transactions',
    icon: IconCash,
    screen: '/worker/financial/transactions',
    calls: ['POST /api/payroll/transactions/:id/settle'],
    run: (go) => go(hrefTo('/worker/financial/transactions', { type: 'tax_deposit' })),
  },
  {
    id: 'tax-audit',
    title: 'Run the tax audit',
    words: 'discrepancies fix undo adjustments',
    permission: 'payroll.audit',
    icon: IconReportMoney,
    screen: '/worker/financial/tax-audit',
    calls: ['POST /api/payroll/fix-discrepancies', 'POST /api/payroll/adjustments/undo'],
    run: (go) => go(hrefTo('/worker/financial/tax-audit')),
  },
  {
    id: 'period-close',
    title: 'Close a pay period',
    permission: 'payroll.audit',
    icon: IconCalendarCheck,
    screen: '/worker/financial/periods',
    calls: ['POST /api/payroll/periods/close'],
    run: (go) => go(hrefTo('/worker/financial/periods')),
  },
  {
    id: 'payroll-settings',
    title: 'Change payroll settings',
    words: 'rates frequency taxes',
    permission: 'payroll.settings',
    icon: IconSettings,
    screen: '/worker/financial/settings',
    calls: ['PATCH /api/payroll/settings'],
    run: (go) => go(hrefTo('/worker/financial/settings')),
  },
]
