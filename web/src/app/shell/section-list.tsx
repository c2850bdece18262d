import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { readPreference, savePreference } from '#platform/preferences.ts'
import type { Section } from '#platform/routing/sections.ts'
import { Icon } from '#ui/layout/icon.tsx'
import type { OpenPage } from '../navigation.ts'
import styles from './section-list.module.css'

const parts = new Map<Section['below'], ReturnType<typeof lazy>>()

/** What a section shows under its entry. It loads after the screen, which does not wait for it. */
function Below({ load }: { load: NonNullable<Section['below']> }) {
  const Part = parts.get(load) ?? lazy(load)
  parts.set(load, Part)
  return (
    <Suspense>
      <Part />
    </Suspense>
  )
}

function Entry({ section, isActive }: { section: Section; isActive: boolean }) {
  return (
    <li>
      <Link
        to={section.path}
        className={styles.entry ?? ''}
        activeProps={{}}
        aria-current={isActive ? 'page' : undefined}
      >
        <Icon of={section.icon} />
        <span className={styles.clip}>{section.title}</span>
      </Link>
      {isActive && section.below && <Below load={section.below} />}
    </li>
  )
}

function Entries({ sections, active }: { sections: readonly Section[]; active: Section | undefined }) {
  const groups = [...new Set(sections.map((section) => section.group))]
  return groups.map((group) => {
    const entries = sections
      .filter((section) => section.group === group)
      .map((section) => <Entry key={section.path} section={section} isActive={section === active} />)
    if (group === undefined) return entries
    return [
      <li key={group} className={styles.group}>
        {group}
      </li>,
      ...entries,
    ]
  })
}

function CollapsiblePage({
  page,
  active,
  isCurrent,
}: {
  page: OpenPage
  active: Section | undefined
  isCurrent: boolean
}) {
  const [choice, setChoice] = useState(() => readPreference(`fold.${page.page}`))
  const isOpen = isCurrent || choice === 'open'
  return (
    <details
      className={styles.fold}
      open={isOpen}
      onToggle={(event) => {
        const next = event.currentTarget.open ? 'open' : 'closed'
        if (isCurrent || next === (choice ?? 'closed')) return
        setChoice(next)
        savePreference(`fold.${page.page}`, next)
      }}
    >
      <summary className={styles.summary}>
        {page.title}
        <Icon of={IconChevronRight} size={14} />
      </summary>
      <ul className={styles.entries}>
        <Entries sections={page.sections} active={active} />
      </ul>
    </details>
  )
}

interface Props {
  title: string
  pages: readonly OpenPage[]
  active: Section | undefined
  pathname: string
}

/** The sections of a tab on the left: icons and titles, collapsible pages, the current page open. */
export function SectionList({ title, pages, active, pathname }: Props) {
  const flat = pages.filter((page) => !page.isCollapsible)
  const collapsible = pages.filter((page) => page.isCollapsible)
  return (
    <nav className={styles.side} aria-label={`${title} sections`}>
      {flat.map((page) => (
        <ul key={page.page} className={styles.entries}>
          <Entries sections={page.sections} active={active} />
        </ul>
      ))}
      {collapsible.map((page) =>
        page.sections.length > 0 ? (
          <CollapsiblePage key={page.page} page={page} active={active} isCurrent={active?.page === page.page} />
        ) : (
          <Link
            key={page.page}
            to={page.path}
            className={styles.bare ?? ''}
            activeProps={{}}
            aria-current={pathname === page.path ? 'page' : undefined}
          >
            {page.title}
          </Link>
        ),
      )}
    </nav>
  )
}
