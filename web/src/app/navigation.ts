import type { Section, Tab } from '#platform/routing/sections.ts'
import { hasAccess, type Needs, type Session } from '#platform/session/session.tsx'
import { pathMatches } from './path.ts'
import { type PageEntry, pages, type TabEntry, tabs } from './tabs.ts'

const byOrder = (a: Section, b: Section) => a.order - b.order || a.title.localeCompare(b.title)

export interface OpenPage extends PageEntry {
  sections: readonly Section[]
}

export const visibleTabs = (session: Session): TabEntry[] => tabs.filter((tab) => hasAccess(session, tab.permission))

/** The permission that the worker lacks. The tab's permission counts too, except for My profile, which everyone has. */
export function missingFor(session: Session, section: Section): Needs | undefined {
  const tab = section.page === 'worker' ? undefined : tabs.find((one) => one.tab === section.tab)
  return [tab?.permission, section.permission].find((needs) => needs !== undefined && !hasAccess(session, needs))
}

/** True when the worker can open the section. */
export const isOpen = (session: Session, section: Section): boolean => missingFor(session, section) === undefined

/** The pages of a tab with the sections this worker can open. A page without any sections at all is still listed. */
export function pagesOf(session: Session, tab: Tab, all: readonly Section[]): OpenPage[] {
  return pages
    .filter((page) => page.tab === tab)
    .map((page) => {
      const listed = all.filter((section) => section.page === page.page && !section.isUnlisted)
      return {
        ...page,
        isBare: listed.length === 0,
        sections: listed.filter((one) => isOpen(session, one)).sort(byOrder),
      }
    })
    .filter((page) => page.sections.length > 0 || (page.isBare && page.isCollapsible))
}

/** Where a tab leads: its first section, or the empty tab itself. */
export function landingOf(session: Session, tab: TabEntry, all: readonly Section[]): string {
  for (const page of pagesOf(session, tab.tab, all)) {
    const first = page.sections[0]
    if (first) return first.path
  }
  return tab.path
}

/** The section of a path: the one with the longest matching prefix. */
export const sectionAt = (pathname: string, all: readonly Section[]): Section | undefined =>
  all.filter((section) => pathMatches(section.path, pathname)).sort((a, b) => b.path.length - a.path.length)[0]

/** The tab of a path. */
export function tabAt(pathname: string, all: readonly Section[]): Tab | undefined {
  const section = sectionAt(pathname, all)
  return section?.tab ?? tabs.find((tab) => pathname === tab.path || pathname.startsWith(`${tab.path}/`))?.tab
}

/** The highlighted entry of the section list: the section itself, or the listed parent of an unlisted one. */
export const activeSection = (pathname: string, all: readonly Section[]): Section | undefined =>
  sectionAt(
    pathname,
    all.filter((section) => !section.isUnlisted),
  )
