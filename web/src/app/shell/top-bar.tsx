import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Tab } from '#platform/routing/sections.ts'
import { useSession } from '#platform/session/session.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { Logo } from '#ui/layout/logo.tsx'
import { ThemeMenu } from '#ui/theme/theme-menu.tsx'
import { landingOf, visibleTabs } from '../navigation.ts'
import { useSections } from '../section-registry.ts'
import { AccountMenu } from './account-menu.tsx'
import { BarItems } from './bar-items.tsx'
import styles from './top-bar.module.css'

interface Props {
  current: Tab | undefined
  onSearch: () => void
}

/** Logo, tabs by permission, search, theme and account menu. */
export function TopBar({ current, onSearch }: Props) {
  const session = useSession()
  const sections = useSections()
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.mark ?? ''} preload={false}>
        <Logo />
        Limber
        {session.isSample && <span className={styles.sample}>Sample company</span>}
      </Link>
      <nav className={styles.tabs} aria-label="Main">
        {visibleTabs(session).map((tab) => (
          <Link
            key={tab.tab}
            to={landingOf(session, tab, sections)}
            className={styles.tab ?? ''}
            activeProps={{}}
            aria-current={tab.tab === current ? 'page' : undefined}
          >
            {tab.title}
          </Link>
        ))}
      </nav>
      <div className={styles.end}>
        <BarItems />
        <UnstyledButton className={styles.find ?? ''} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
          <Icon of={IconSearch} />
          <span>Search or jump to</span>
          <KeyCap keys="Mod K" isHidden />
        </UnstyledButton>
        <ThemeMenu />
        <AccountMenu />
      </div>
    </header>
  )
}
