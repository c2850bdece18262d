import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Icon } from './icon.tsx'
import { themeOf, themes } from './themes.ts'

/** Chooses light, dark, or what the system says. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = themeOf(colorScheme)
  return (
    <Menu width={160} withinPortal={false}>
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
