import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { lazy } from 'react'
import { LazyMenu } from '../dialog/lazy-menu.tsx'
import { Icon } from '../layout/icon.tsx'
import { themeOf } from './themes.ts'

const load = () => import('./theme-menu-items.tsx')
const ThemeMenuItems = lazy(load)

/** Selects the light, dark or system theme. */
export function ThemeMenu() {
  const current = themeOf(useMantineColorScheme().colorScheme)
  const button = (
    <ActionIcon aria-label={`Theme: ${current.title}`}>
      <Icon of={current.icon} />
    </ActionIcon>
  )
  return (
    <LazyMenu button={button} load={load}>
      <ThemeMenuItems />
    </LazyMenu>
  )
}
