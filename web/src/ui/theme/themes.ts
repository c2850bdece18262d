import type { MantineColorScheme } from '@mantine/core'
import { type Icon, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

export interface Theme {
  value: MantineColorScheme
  title: string
  icon: Icon
}

const system: Theme = { value: 'auto', title: 'System', icon: IconDeviceDesktop }

/** The available themes. */
export const themes: readonly Theme[] = [
  { value: 'light', title: 'Light', icon: IconSun },
  { value: 'dark', title: 'Dark', icon: IconMoon },
  system,
]

export const themeOf = (value: MantineColorScheme): Theme => themes.find((theme) => theme.value === value) ?? system
