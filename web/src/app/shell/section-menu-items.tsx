import { Menu } from '@mantine/core'
import { IconLayoutList } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Section } from '#platform/routing/sections.ts'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import type { OpenPage } from '../navigation.ts'
import styles from './section-menu.module.css'

interface Props {
  pages: readonly OpenPage[]
  active: Section | undefined
}

/** The items of the section menu: flat pages first, then the others under their titles. */
export default function SectionMenuItems({ pages, active }: Props) {
  const navigate = useNavigate()
  const go = (path: string) => void navigate({ to: path })
  const ordered = [...pages.filter((one) => !one.isCollapsible), ...pages.filter((one) => one.isCollapsible)]
  return (
    <OpenMenu width="target" position="bottom-start" className={styles.menu ?? ''}>
      {ordered.map((one) =>
        one.sections.length > 0 ? (
          <Fragment key={one.page}>
            {one.isCollapsible && <Menu.Label>{one.title}</Menu.Label>}
            {one.sections.map((section) => (
              <Menu.Item
                key={section.path}
                className={styles.item ?? ''}
                leftSection={<Icon of={section.icon} />}
                aria-current={section === active ? 'page' : undefined}
                onClick={() => go(section.path)}
              >
                {section.title}
              </Menu.Item>
            ))}
          </Fragment>
        ) : (
          <Menu.Item
            key={one.page}
            className={styles.item ?? ''}
            leftSection={<Icon of={IconLayoutList} />}
            onClick={() => go(one.path)}
          >
            {one.title}
          </Menu.Item>
        ),
      )}
    </OpenMenu>
  )
}
