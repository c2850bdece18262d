import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconLayoutList, IconSelector } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Section } from '#platform/sections.ts'
import { Icon } from '#ui/icon.tsx'
import type { OpenPage } from './navigation.ts'
import styles from './section-menu.module.css'

interface Props {
  title: string
  pages: readonly OpenPage[]
  lit: Section | undefined
}

/** The same sections on a narrow screen, folded into a menu. */
export function SectionMenu({ title, pages, lit }: Props) {
  const navigate = useNavigate()
  const go = (path: string) => void navigate({ to: path })
  const ordered = [...pages.filter((one) => !one.isFolding), ...pages.filter((one) => one.isFolding)]
  const page = pages.find((one) => one.page === lit?.page && one.isFolding)
  return (
    <div className={styles.holder}>
      <Menu width="target" position="bottom-start" withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={styles.button ?? ''}>
            <Icon of={lit?.icon ?? IconLayoutList} className={styles.icon ?? ''} />
            <span>{lit?.title ?? title}</span>
            <small className={styles.page}>{page?.title}</small>
            <VisuallyHidden>{title} sections</VisuallyHidden>
            <Icon of={IconSelector} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className={styles.menu ?? ''}>
          {ordered.map((one) =>
            one.sections.length > 0 ? (
              <Fragment key={one.page}>
                {one.isFolding && <Menu.Label>{one.title}</Menu.Label>}
                {one.sections.map((section) => (
                  <Menu.Item
                    key={section.path}
                    className={styles.item ?? ''}
                    leftSection={<Icon of={section.icon} />}
                    aria-current={section === lit ? 'page' : undefined}
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
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
