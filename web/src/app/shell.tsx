import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '#platform/session.tsx'
import { ErrorBoundary } from '#ui/error-boundary.tsx'
import { KeyHelp } from './key-help.tsx'
import { isOpen, litSection, pagesOf, sectionAt, tabAt } from './navigation.ts'
import { NotOpen } from './not-open.tsx'
import { Palette } from './palette.tsx'
import { SectionList } from './section-list.tsx'
import { SectionMenu } from './section-menu.tsx'
import { useSections } from './section-registry.ts'
import styles from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'
import { tabs } from './tabs.ts'
import { TopBar } from './top-bar.tsx'

/** What every signed-in screen stands in. */
export default function Shell() {
  const session = useSession()
  const sections = useSections()
  const router = useRouter()
  const { pathname } = useLocation()
  const [layer, setLayer] = useState<'palette' | 'keys' | null>(null)
  useShortcuts({ onPalette: () => setLayer('palette'), onHelp: () => setLayer('keys') })

  const tab = tabs.find((one) => one.tab === tabAt(pathname, sections))
  const pages = tab ? pagesOf(session, tab.tab, sections) : []
  const section = sectionAt(pathname, sections)
  const lit = litSection(pathname, sections)
  // A tab with one screen needs no list of them.
  const places = pages.reduce((sum, page) => sum + Math.max(1, page.sections.length), 0)
  const hasList = tab !== undefined && places > 1

  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <TopBar current={tab?.tab} onSearch={() => setLayer('palette')} />
      <div className={styles.body} data-wide={!hasList || undefined}>
        {hasList && <SectionList title={tab.title} pages={pages} lit={lit} pathname={pathname} />}
        <main className={styles.main} id="main" tabIndex={-1}>
          {hasList && <SectionMenu title={tab.title} pages={pages} lit={lit} />}
          <ErrorBoundary resetKey={pathname} onRetry={() => void router.invalidate()}>
            {section && !isOpen(session, section) ? <NotOpen needs={section.permission} /> : <Outlet />}
          </ErrorBoundary>
        </main>
      </div>
      <Palette isOpen={layer === 'palette'} onClose={() => setLayer(null)} />
      <KeyHelp isOpen={layer === 'keys'} onClose={() => setLayer(null)} />
    </>
  )
}
