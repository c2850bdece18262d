import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useConnectionLost } from '#platform/live/live.ts'
import { useSession } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { ErrorBoundary } from '#ui/feedback/error-boundary.tsx'
import { bufferTyping } from '#ui/keyboard/typed-ahead.ts'
import { activeSection, missingFor, pagesOf, sectionAt, tabAt } from '../navigation.ts'
import { useShortcuts } from '../palette/shortcuts.ts'
import { useSections } from '../section-registry.ts'
import { tabs } from '../tabs.ts'
import { SectionList } from './section-list.tsx'
import { SectionMenu } from './section-menu.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

const loadPalette = () => import('../palette/palette.tsx')
const NoAccess = lazy(() => import('../no-access.tsx'))
const Palette = lazy(loadPalette)
const KeyHelp = lazy(() => import('../palette/key-help.tsx'))

type Layer = 'palette' | 'keys'

/** Which layer is open, and which were opened before. A layer loads on first use and stays mounted. */
function useLayers() {
  const [layer, setLayer] = useState<Layer | null>(null)
  const [seen, setSeen] = useState<ReadonlySet<Layer>>(new Set())
  // Loaded while idle, so that the first Ctrl-K does not wait.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), 1_500)
    return () => clearTimeout(timer)
  }, [])
  const open = (next: Layer) => {
    if (next === 'palette') bufferTyping()
    setSeen((before) => new Set(before).add(next))
    setLayer(next)
  }
  return { layer, seen, open, close: () => setLayer(null) }
}

/** The frame around every signed-in screen. */
export default function Shell() {
  const session = useSession()
  const sections = useSections()
  const isLost = useConnectionLost()
  const router = useRouter()
  const { pathname } = useLocation()
  const { layer, seen, open, close } = useLayers()
  useShortcuts({ onPalette: () => open('palette'), onHelp: () => open('keys') })

  const tab = tabs.find((one) => one.tab === tabAt(pathname, sections))
  const pages = tab ? pagesOf(session, tab.tab, sections) : []
  const section = sectionAt(pathname, sections)
  const active = activeSection(pathname, sections)
  const missing = section && missingFor(session, section)
  // A tab with one screen needs no section list.
  const places = pages.reduce((sum, page) => sum + Math.max(1, page.sections.length), 0)
  const hasList = tab !== undefined && places > 1

  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <TopBar current={tab?.tab} onSearch={() => open('palette')} />
      <div className={styles.body} data-wide={!hasList || undefined}>
        {hasList && <SectionList title={tab.title} pages={pages} active={active} pathname={pathname} />}
        <main className={styles.main} id="main" tabIndex={-1}>
          {hasList && <SectionMenu title={tab.title} pages={pages} active={active} />}
          {isLost && (
            <div className={styles.lost} role="status">
              <Banner kind="amber">Connection lost. This page may be out of date until it reconnects.</Banner>
            </div>
          )}
          <ErrorBoundary resetKey={pathname} onRetry={() => void router.invalidate()}>
            {missing ? (
              <Suspense>
                <NoAccess needs={missing} />
              </Suspense>
            ) : (
              <Outlet />
            )}
          </ErrorBoundary>
        </main>
      </div>
      <Suspense>
        {seen.has('palette') && <Palette isOpen={layer === 'palette'} onClose={close} onHelp={() => open('keys')} />}
        {seen.has('keys') && <KeyHelp isOpen={layer === 'keys'} onClose={close} />}
      </Suspense>
    </>
  )
}
