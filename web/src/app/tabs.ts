import type { PermissionName } from '@limber/contract/access/permissions.ts'
import type { Page, Tab } from '#platform/routing/sections.ts'

export interface TabEntry {
  tab: Tab
  title: string
  path: `/${string}`
  permission: PermissionName
  /** Pressed after `g`. */
  key: string
}

/** The four tabs, in their order. */
export const tabs: readonly TabEntry[] = [
  { tab: 'analytics', title: 'Analytics', path: '/analytics', permission: 'analytics.view', key: 'a' },
  { tab: 'worker', title: 'Worker', path: '/worker', permission: 'worker.tab', key: 'w' },
  { tab: 'support', title: 'Support', path: '/support', permission: 'support.tab', key: 's' },
  { tab: 'growth', title: 'Growth', path: '/growth', permission: 'growth.tab', key: 'r' },
]

export interface PageEntry {
  page: Page
  tab: Tab
  title: string
  path: `/${string}`
  /** Its sections are listed under a collapsible title; otherwise directly in the list. */
  isCollapsible: boolean
}

/** The pages that sections belong to. A tab opens its first page that has a section for the worker. */
export const pages: readonly PageEntry[] = [
  { page: 'analytics', tab: 'analytics', title: 'Analytics', path: '/analytics', isCollapsible: false },
  { page: 'managing', tab: 'worker', title: 'Managing Admin Dashboard', path: '/worker/managing', isCollapsible: true },
  { page: 'financial', tab: 'worker', title: 'Financial Overview', path: '/worker/financial', isCollapsible: true },
  { page: 'tech', tab: 'worker', title: 'Tech admin dashboard', path: '/worker/tech', isCollapsible: true },
  { page: 'worker', tab: 'worker', title: 'Worker', path: '/worker', isCollapsible: false },
  { page: 'support', tab: 'support', title: 'Support', path: '/support', isCollapsible: false },
  { page: 'growth', tab: 'growth', title: 'Growth', path: '/growth', isCollapsible: false },
]
