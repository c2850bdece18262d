import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { Icon } from './icon.tsx'

const themes = [
  { value: 'light', title: 'Light', icon: IconSun },
  { value: 'dark', title: 'Dark', icon: IconMoon },
  { value: 'auto', title: 'System', icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; title: string; icon: unknown }[]

/** Chooses light, dark, or what the system says. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = themes.find((theme) => theme.value === colorScheme) ?? themes[2]
  return (
    <Menu width={160} loop>
      <Menu.Target>
        <ActionIcon aria-label={`Theme: ${current.title}`}>
          <Icon of={current.icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {themes.map(({ value, title, icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={value === colorScheme}
            leftSection={<Icon of={icon} />}
            rightSection={value === colorScheme ? <Icon of={IconCheck} /> : null}
            onClick={() => setColorScheme(value)}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
