import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconLayoutList, IconSelector } from '@tabler/icons-react'
import { lazy } from 'react'
import type { Section } from '#platform/routing/sections.ts'
import { LazyMenu } from '#ui/dialog/lazy-menu.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import type { OpenPage } from '../navigation.ts'
import styles from './section-menu.module.css'

const load = () => import('./section-menu-items.tsx')
const SectionMenuItems = lazy(load)

interface Props {
  title: string
  pages: readonly OpenPage[]
  active: Section | undefined
}

/** The same sections as a menu, for narrow screens. */
export function SectionMenu({ title, pages, active }: Props) {
  const page = pages.find((one) => one.page === active?.page && one.isCollapsible)
  const button = (
    <UnstyledButton className={styles.button ?? ''}>
      <Icon of={active?.icon ?? IconLayoutList} className={styles.icon ?? ''} />
      <span>{active?.title ?? title}</span>
      <small className={styles.page}>{page?.title}</small>
      <VisuallyHidden>{title} sections</VisuallyHidden>
      <Icon of={IconSelector} />
    </UnstyledButton>
  )
  return (
    <div className={styles.holder}>
      <LazyMenu button={button} load={load}>
        <SectionMenuItems pages={pages} active={active} />
      </LazyMenu>
    </div>
  )
}
