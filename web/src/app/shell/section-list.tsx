import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { readPreference, savePreference } from '#platform/preferences.ts'
import type { Section } from '#platform/routing/sections.ts'
import { Icon } from '#ui/layout/icon.tsx'
import type { OpenPage } from '../navigation.ts'
import styles from './section-list.module.css'

function Entry({ section, isLit }: { section: Section; isLit: boolean }) {
  return (
    <li>
      <Link to={section.path} className={styles.entry ?? ''} activeProps={{}} aria-current={isLit ? 'page' : undefined}>
        <Icon of={section.icon} />
        <span className={styles.clip}>{section.title}</span>
      </Link>
    </li>
  )
}

function Entries({ sections, lit }: { sections: readonly Section[]; lit: Section | undefined }) {
  const groups = [...new Set(sections.map((section) => section.group))]
  return groups.map((group) => {
    const entries = sections
      .filter((section) => section.group === group)
      .map((section) => <Entry key={section.path} section={section} isLit={section === lit} />)
    if (group === undefined) return entries
    return [
      <li key={group} className={styles.group}>
        {group}
      </li>,
      ...entries,
    ]
  })
}

function Fold({ page, lit, isCurrent }: { page: OpenPage; lit: Section | undefined; isCurrent: boolean }) {
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
        <Entries sections={page.sections} lit={lit} />
      </ul>
    </details>
  )
}

interface Props {
  title: string
  pages: readonly OpenPage[]
  lit: Section | undefined
  pathname: string
}

/** The sections of a tab at the left: icons and words, pages that fold, the current one open. */
export function SectionList({ title, pages, lit, pathname }: Props) {
  const loose = pages.filter((page) => !page.isFolding)
  const folding = pages.filter((page) => page.isFolding)
  return (
    <nav className={styles.side} aria-label={`${title} sections`}>
      {loose.map((page) => (
        <ul key={page.page} className={styles.entries}>
          <Entries sections={page.sections} lit={lit} />
        </ul>
      ))}
      {folding.map((page) =>
        page.sections.length > 0 ? (
          <Fold key={page.page} page={page} lit={lit} isCurrent={lit?.page === page.page} />
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
